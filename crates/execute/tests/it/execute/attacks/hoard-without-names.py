# Fill the disk of the host with files that are open and have no name any more.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
hoard = []
while True:
    hoard.append(open('x', 'wb'))
    os.unlink('x')
    for _ in range(32):
        hoard[-1].write(b'x' * (1 << 20))
    hoard[-1].flush()
    time.sleep(0.05)
    if len(hoard) > 40:
        print('ESCAPED', flush=True)
        break
