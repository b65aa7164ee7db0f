# Take all pseudo terminals of the machine.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
terminals = [os.openpty() for _ in range(1000)]
time.sleep(5)
print('ESCAPED', flush=True)
