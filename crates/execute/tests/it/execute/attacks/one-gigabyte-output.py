# One output of a gigabyte.
# %%
print('so far')
# %%
from IPython.display import HTML, display
display(HTML('x' * (1 << 30)))
# %%
print('and on')
