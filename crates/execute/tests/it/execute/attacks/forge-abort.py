# Say that the request was dropped, in the kernel's name and past its library.
# %%
import os, socket, time
from ipykernel.connect import get_connection_file
open('ran', 'a').write('x')
kernel = get_ipython().kernel
path = os.path.join(os.path.dirname(get_connection_file()), 'k-1')
def opened():
    for number in [int(name) for name in os.listdir('/proc/self/fd')]:
        try:
            yield socket.socket(fileno=os.dup(number))
        except OSError:
            pass
def is_shell(one):
    return one.family == socket.AF_UNIX and one.getsockname() == path and not one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
shells = [one for one in opened() if is_shell(one)]
for status in ('aborted', 'abort', None, 7):
    message = kernel.session.msg('execute_reply', {'status': status}, parent=kernel.get_parent())
    frames = kernel.session.serialize(message)
    raw = b''.join(bytes([2 | (number + 1 < len(frames))]) + len(frame).to_bytes(8, 'big') + frame for number, frame in enumerate(frames))
    for shell in shells:
        shell.sendall(raw)
kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'}, parent=kernel.get_parent(), ident=b'status')
time.sleep(1)
# %%
print('and on')
