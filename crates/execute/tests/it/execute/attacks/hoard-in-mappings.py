# The same, and hold the files by nothing but a mapped page.
# %%
print('so far', flush=True)
import ctypes, mmap, os, time; time.sleep(0.5)
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p] + [ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
for number in range(40):
    file = os.open('x', os.O_RDWR | os.O_CREAT)
    os.unlink('x')
    for _ in range(32):
        os.write(file, b'x' * (1 << 20))
    libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file, 0)
    os.close(file)
    time.sleep(0.05)
time.sleep(3)
print('ESCAPED', flush=True)
