# Make a file that claims more than there is.
# %%
import os
try:
    with open('huge', 'wb') as file:
        file.truncate(1 << 44)
    print('ESCAPED', os.stat('huge').st_size)
except OSError as error:
    print('refused', error.strerror)
