# The same, and hold the files by nothing but messages that nobody receives.
# %%
print('so far', flush=True)
import os, socket, time; time.sleep(0.5)
here, there = socket.socketpair()
for number in range(40):
    file = os.open('x', os.O_RDWR | os.O_CREAT)
    os.unlink('x')
    for _ in range(32):
        os.write(file, b'x' * (1 << 20))
    socket.send_fds(here, [b'x'], [file])
    os.close(file)
    time.sleep(0.05)
time.sleep(3)
print('ESCAPED', flush=True)
