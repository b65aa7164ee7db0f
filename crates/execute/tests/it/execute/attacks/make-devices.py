# Make device files and programs that run as another user.
# %%
import os, stat
for mode in (stat.S_IFBLK, stat.S_IFCHR):
    try:
        os.mknod('device', mode | 0o666, os.makedev(254, 0))
        print('ESCAPED', open('device', 'rb').read(16))
    except OSError as error:
        print('refused', type(error).__name__)
# %%
with open('program', 'w') as file:
    file.write('#!/bin/sh\nid\n')
try:
    os.chmod('program', 0o6755)
    os.chown('program', 0, 0)
    print('ESCAPED')
except OSError as error:
    print('refused', type(error).__name__)
