# Destroy the connection file and the sockets beside it.
# %%
import glob, os, sys
from ipykernel.connect import get_connection_file
path = get_connection_file()
try:
    open(path, 'w').write('not json')
except OSError:
    pass
folder = os.path.dirname(path)
for name in os.listdir(folder):
    try:
        os.unlink(os.path.join(folder, name))
    except OSError:
        pass
print('destroyed')
# %%
print('and on')
