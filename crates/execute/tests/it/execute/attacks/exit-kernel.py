# End the kernel's process in the middle of a cell.
# %%
print('before', flush=True)
import os, time; time.sleep(0.3)
os._exit(7)
# %%
print('never')
