# Crash the kernel's process.
# %%
print('before', flush=True)
import ctypes, time; time.sleep(0.3)
ctypes.string_at(0)
# %%
print('never')
