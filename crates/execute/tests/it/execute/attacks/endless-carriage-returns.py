# A progress bar that never ends: each message replaces the one before.
# %%
number = 0
while True:
    number += 1
    print('\r' + 'progress' * 100 + str(number), end='', flush=True)
