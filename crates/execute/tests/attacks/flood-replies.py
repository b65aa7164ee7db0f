# Answer the request again and again, and never be done with it.
# %%
print('so far', flush=True)
import signal, time; time.sleep(0.3)
kernel = get_ipython().kernel
parent, ident = kernel.get_parent(), kernel._parent_ident['shell']
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    kernel.session.send(kernel.iopub_socket, 'status', {'execution_state': 'busy'}, parent=parent, ident=b'status')
    kernel.session.send(kernel.shell_stream, 'execute_reply', {'status': 'ok', 'payload': []}, parent=parent, ident=ident)
    kernel.shell_stream.flush()
# %%
time.sleep(600)
