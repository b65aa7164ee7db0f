# The same, as programs that run and have no name any more.
# %%
print('so far', flush=True)
import os, shutil, subprocess, time; time.sleep(0.5)
running = []
for number in range(40):
    shutil.copy('/usr/bin/sleep', 'x')
    with open('x', 'ab') as file:
        file.write(b'x' * (32 << 20))
    running.append(subprocess.Popen(['./x', '600'], close_fds=True))
    os.unlink('x')
    time.sleep(0.05)
time.sleep(3)
print('ESCAPED', flush=True)
