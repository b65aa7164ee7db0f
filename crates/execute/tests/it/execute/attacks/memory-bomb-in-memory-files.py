# Take memory as files that no folder shows and nobody has mapped.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
files = []
for number in range(60):
    files.append(os.memfd_create('x'))
    for _ in range(40):
        os.write(files[-1], b'x' * (1 << 20))
    time.sleep(0.05)
time.sleep(2)
print('ESCAPED', flush=True)
