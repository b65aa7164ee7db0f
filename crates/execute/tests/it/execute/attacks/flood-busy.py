# Say that the kernel is busy, for ever, and be so.
# %%
print('so far', flush=True)
import signal, time; time.sleep(0.3)
kernel = get_ipython().kernel
parent = kernel.get_parent()
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'busy'}, parent=parent, ident=b'status')
