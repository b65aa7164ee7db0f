# Fork without end, and die of the refusal.
# %%
import os, sys, time
print('so far', flush=True)
time.sleep(0.2)
try:
    while True:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
except OSError:
    os._exit(3)
