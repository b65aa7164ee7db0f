# Keep every core busy for ever, from native code that never looks at signals.
# %%
print('so far', flush=True)
import re
re.match(r'(a+)+$', 'a' * 64 + 'b')
