# Open files in a table that only one thread has.
# %%
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def asked(name, *arguments):
    answer = libc.syscall(*arguments)
    print('ESCAPED' if answer == 0 else 'refused', name, os.strerror(ctypes.get_errno()))
asked('close_range', 436, 5000, 5001, 2)
asked('unshare', 272 if os.uname().machine == 'x86_64' else 97, 0x400)
# VM, SIGHAND and THREAD without FILES, and without a stack of its own: it would not come back.
answer = libc.syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10900, ctypes.create_string_buffer(1 << 16), 0, 0, 0)
print('ESCAPED' if answer > 0 else 'refused', 'clone', os.strerror(ctypes.get_errno()))
