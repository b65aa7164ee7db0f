# Fill the disk in folders that nobody may look into.
# %%
print('so far', flush=True)
import os, time; time.sleep(0.5)
for number in range(40):
    os.makedirs(f'closed/{number}', exist_ok=True)
    with open(f'closed/{number}/x', 'wb') as file:
        file.write(b'x' * (32 << 20))
    os.chmod(f'closed/{number}', 0o300)
    os.chmod('closed', 0o300)
    os.chmod('.', 0o300)
    os.chmod(f'closed/{number}', 0)
    time.sleep(0.05)
time.sleep(3)
print('ESCAPED', flush=True)
