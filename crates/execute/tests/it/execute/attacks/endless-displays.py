# Displays without end, each updated for ever.
# %%
from IPython.display import display
handle = display('first', display_id=True)
number = 0
while True:
    number += 1
    handle.update('x' * 1000 + str(number))
