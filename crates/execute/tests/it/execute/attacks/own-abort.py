# Raise what sounds as if the kernel had dropped the request.
# %%
class ExecutionAborted(Exception):
    pass
open('ran', 'a').write('x')
raise ExecutionAborted('once more')
# %%
print('and on')
