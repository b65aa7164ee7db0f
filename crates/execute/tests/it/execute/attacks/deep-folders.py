# Hide files below folders that are too deep to be walked, under names that cannot be printed.
# %%
import os
name = b'\xff\n' + b'd' * 100
for _ in range(400):
    os.mkdir(name)
    os.chdir(name)
open(b'end\n\xfe', 'w').close()
# %%
import time; time.sleep(600)
