# End in order, but never come to the end.
# %%
print('so far', flush=True)
import atexit, signal
def flood():
    kernel = get_ipython().kernel
    while True:
        try:
            kernel.session.send(kernel.iopub_socket, 'stream', {'name': 'stdout', 'text': 'x'}, parent={}, ident=b'x')
        except BaseException:
            pass
atexit.register(flood)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
