# Take all memory in many processes, none of which has much.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
for _ in range(24):
    if os.fork() == 0:
        kept = []
        while True:
            kept.append(bytearray(b'x' * (1 << 22)))
            time.sleep(0.02)
time.sleep(600)
