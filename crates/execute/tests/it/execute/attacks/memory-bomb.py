# Take all memory there is.
# %%
print('so far', flush=True)
import time; time.sleep(0.5)
kept = []
while True:
    kept.append(bytearray(b'x' * (1 << 24)))
