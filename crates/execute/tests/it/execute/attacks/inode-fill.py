# Use up the files of the file system.
# %%
import os
number = 0
while True:
    os.makedirs(f'd{number // 1000}', exist_ok=True)
    open(f'd{number // 1000}/f{number}', 'w').close()
    number += 1
