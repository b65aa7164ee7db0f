# Speak in the kernel's name: say that the cell is done when it is not, and that the next one is.
# %%
import json
from ipykernel.connect import get_connection_file
from IPython import get_ipython
kernel = get_ipython().kernel
parent = kernel.get_parent()
for forged in (dict(parent, header=dict(parent['header'], msg_id='no-such-request')), parent):
    kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'}, parent=forged, ident=b'status')
    kernel.session.send(kernel.iopub_socket, 'stream', {'name': 'stdout', 'text': 'x'}, parent={}, ident=b'stream')
    kernel.session.send(kernel.iopub_socket, 'stream', {'name': 7, 'text': None}, parent=forged, ident=b'stream')
    kernel.session.send(kernel.iopub_socket, 'no_such_type', {'a': [1] * 1000}, parent=forged, ident=b'x')
kernel.iopub_socket.send(b'not a message at all')
print('forged')
# %%
print('the second cell')
1 / 0
# %%
print('the third cell')
