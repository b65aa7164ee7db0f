# Write to the kernel's own standard error without end, past the protocol.
# %%
import os
while True:
    os.write(2, b'spam ' * 1000)
