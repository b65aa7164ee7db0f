# The same, behind so many descriptors that nobody looks at all of them in time.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
def many():
    files = [os.open('/dev/null', os.O_RDONLY) for _ in range(4000)]
    time.sleep(600)
for number in range(28):
    try:
        if os.fork() == 0:
            many()
    except OSError:
        # An ordinary user's other processes count as well.
        break
hoard = []
for number in range(40):
    hoard.append(os.open('x', os.O_RDWR | os.O_CREAT))
    os.unlink('x')
    for _ in range(32):
        os.write(hoard[-1], b'x' * (1 << 20))
    time.sleep(0.05)
time.sleep(60)
print('ESCAPED', flush=True)
