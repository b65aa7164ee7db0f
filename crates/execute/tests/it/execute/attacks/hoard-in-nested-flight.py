# The same, with files whose blocks were asked for and not written, in sockets that are under way in other sockets.
# %%
print('so far', flush=True)
import os, socket, time; time.sleep(0.5)
keep, last = socket.socketpair()
for number in range(40):
    here, there = socket.socketpair()
    file = os.open('x', os.O_RDWR | os.O_CREAT)
    os.unlink('x')
    os.posix_fallocate(file, 0, 32 << 20)
    socket.send_fds(here, [b'x'], [file])
    socket.send_fds(keep, [b'x'], [here.fileno(), there.fileno()])
    os.close(file)
    here.close()
    there.close()
    time.sleep(0.05)
time.sleep(3)
print('ESCAPED', flush=True)
