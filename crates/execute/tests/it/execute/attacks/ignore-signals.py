# Ignore every signal that can be ignored.
# %%
import signal
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
print('deaf', flush=True)
# %%
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
