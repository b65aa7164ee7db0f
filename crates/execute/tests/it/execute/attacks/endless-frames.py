# One message of ever more frames, none of them long.
# %%
print('so far', flush=True)
import os, socket, time; time.sleep(0.3)
from ipykernel.connect import get_connection_file
path = os.path.join(os.path.dirname(get_connection_file()), 'k-2')
for number in [int(name) for name in os.listdir('/proc/self/fd')]:
    try:
        one = socket.socket(fileno=os.dup(number))
        if one.family != socket.AF_UNIX or one.getsockname() != path or one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            continue
        one.setblocking(True)
        for _ in range(1 << 14):
            one.sendall(b'\x03' + (1 << 16).to_bytes(8, 'big') + b'x' * (1 << 16))
    except OSError as error:
        print('refused', type(error).__name__)
# %%
time.sleep(600)
