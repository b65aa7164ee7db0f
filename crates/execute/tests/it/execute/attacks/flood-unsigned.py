# Send what means nothing, for ever.
# %%
print('so far', flush=True)
import signal, time; time.sleep(0.3)
kernel = get_ipython().kernel
signal.signal(signal.SIGINT, signal.SIG_IGN)
kernel.session.key = b'another key'
parent = kernel.get_parent()
while True:
    kernel.session.send(kernel.iopub_socket, 'stream', {'name': 'stdout', 'text': 'x'}, parent=parent, ident=b'x')
