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
    # Where the kernel counts no refusals, the watcher has to see the crowd.
    time.sleep(0.5)
    os._exit(3)
