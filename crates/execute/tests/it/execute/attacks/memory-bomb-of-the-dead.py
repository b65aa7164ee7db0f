# Take memory that a child filled and this process has mapped, but never touched.
# %%
print('so far', flush=True)
import mmap, os, time; time.sleep(0.5)
shared = []
for number in range(60):
    shared.append(mmap.mmap(-1, 40 << 20))
    child = os.fork()
    if child == 0:
        shared[-1].write(b'x' * (40 << 20))
        os._exit(0)
    os.waitpid(child, 0)
    time.sleep(0.05)
time.sleep(2)
print('ESCAPED', flush=True)
