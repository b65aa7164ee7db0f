# Read the memory of the processes that can be seen.
# %%
import os
for pid in [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) != os.getpid()]:
    try:
        open(f'/proc/{pid}/mem', 'rb').read(1)
        print('ESCAPED', pid)
    except OSError as error:
        print('refused', type(error).__name__)
# %%
for path in ['/dev/mem', '/dev/kmem', '/proc/kcore', '/dev/sda', '/dev/vda', '/dev/nvme0n1']:
    try:
        print('ESCAPED', open(path, 'rb').read(1))
    except OSError as error:
        print('refused', type(error).__name__)
