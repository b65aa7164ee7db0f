# Take part in the life of other processes and of the kernel.
# %%
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, *arguments):
    ctypes.set_errno(0)
    result = getattr(libc, name)(*arguments)
    print('ESCAPED' if result == 0 else 'refused', name, os.strerror(ctypes.get_errno()))
attempt('ptrace', 16, 1, None, None)
attempt('ptrace', 16, os.getppid(), None, None)
attempt('unshare', 0x10000000)
attempt('unshare', 0x00020000)
attempt('mount', b'none', b'/tmp', b'tmpfs', 0, None)
attempt('umount2', b'/proc', 2)
attempt('chroot', b'/tmp')
attempt('setns', 0, 0)
attempt('sethostname', b'attack', 6)
attempt('setuid', 0) if os.getuid() else print('ESCAPED is root')
# %%
status = open('/proc/self/status').read()
import re
for name in ('CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'):
    print(name, 'none' if int(re.search(name + r':\s*(\w+)', status)[1], 16) == 0 else 'ESCAPED')
print('no new privileges' if re.search(r'NoNewPrivs:\s*1', status) else 'ESCAPED')
# %%
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *arguments)
    print('ESCAPED' if result >= 0 else 'refused', number, os.strerror(ctypes.get_errno()))
if os.uname().machine == 'x86_64':
    for number in (321, 425, 323, 298, 250, 246, 272 + 0x40000000):   # bpf, io_uring, userfaultfd, perf, keyctl, kexec, x32 unshare
        call(number, 0, 0, 0, 0, 0)
