# Take all memory as files of the private /tmp and of shared memory.
# %%
import os
for folder in ['/tmp', '/dev/shm']:
    try:
        with open(folder + '/big', 'wb') as file:
            for _ in range(1 << 12):
                file.write(b'x' * (1 << 20))
        print('ESCAPED', folder)
    except OSError as error:
        print('refused', error.strerror)
