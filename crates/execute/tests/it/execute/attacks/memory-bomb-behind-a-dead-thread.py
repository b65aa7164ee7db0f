# Take memory in a process whose first thread has ended.
# %%
print('so far', flush=True)
import ctypes, os, threading, time; time.sleep(0.5)
def hoard():
    memory = []
    for number in range(60):
        memory.append(b'x' * (40 << 20))
        time.sleep(0.05)
    time.sleep(600)
if os.fork() == 0:
    threading.Thread(target=hoard, daemon=True).start()
    ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)
time.sleep(8)
print('ESCAPED', flush=True)
