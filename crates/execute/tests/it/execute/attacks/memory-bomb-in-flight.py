# The same, in messages that nobody receives.
# %%
print('so far', flush=True)
import os, socket, time; time.sleep(0.5)
here, there = socket.socketpair()
for number in range(60):
    file = os.memfd_create('x')
    for _ in range(40):
        os.write(file, b'x' * (1 << 20))
    socket.send_fds(here, [b'x'], [file])
    os.close(file)
    time.sleep(0.05)
time.sleep(2)
print('ESCAPED', flush=True)
