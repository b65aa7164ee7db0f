# The same, in a process that may not be looked into: first one that asks for that, then a program that cannot be read.
# %%
print('so far', flush=True)
import ctypes, os, shutil, subprocess, time; time.sleep(0.5)
print('hidden' if ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0 else 'refused', flush=True)
shutil.copy('/usr/bin/dash', 'shell')
os.chmod('shell', 0o111)
script = 'n=0; while [ $n -lt 7 ]; do n=$((n+1)); eval "exec $((n+2))>x"; rm x; head -c 33554432 /dev/zero >&$((n+2)); done; sleep 600'
subprocess.Popen(['./shell', '-c', script])
time.sleep(8)
print('ESCAPED', flush=True)
