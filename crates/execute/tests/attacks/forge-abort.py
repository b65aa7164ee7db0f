# Say that the request was dropped, in the kernel's name.
# %%
open('ran', 'a').write('x')
kernel = get_ipython().kernel
ident = kernel._parent_ident['shell']
for status in ('aborted', 'abort', None, 7):
    kernel.session.send(kernel.shell_stream, 'execute_reply', {'status': status}, parent=kernel.get_parent(), ident=ident)
kernel.shell_stream.flush()
kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'idle'}, parent=kernel.get_parent(), ident=b'status')
import time; time.sleep(1)
# %%
print('and on')
