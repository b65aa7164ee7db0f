# The same, in a process whose first thread has ended.
# %%
print('so far', flush=True)
import ctypes, os, threading, time; time.sleep(0.5)
def hoard():
    files = []
    for number in range(40):
        files.append(os.open('x', os.O_RDWR | os.O_CREAT))
        os.unlink('x')
        for _ in range(32):
            os.write(files[-1], b'x' * (1 << 20))
        time.sleep(0.05)
    time.sleep(600)
if os.fork() == 0:
    threading.Thread(target=hoard, daemon=True).start()
    # The first thread alone ends; SYS_exit of x86-64 and of the others.
    ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)
time.sleep(8)
print('ESCAPED', flush=True)
