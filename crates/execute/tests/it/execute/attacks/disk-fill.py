# Fill the disk of the host.
# %%
print('so far', flush=True)
import time; time.sleep(0.5)
number = 0
while True:
    with open(f'big-{number}', 'wb') as file:
        for _ in range(32):
            file.write(b'x' * (1 << 20))
    number += 1
