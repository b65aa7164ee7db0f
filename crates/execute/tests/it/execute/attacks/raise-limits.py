# Raise one's own limits.
# %%
import os, resource
for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
    soft, hard = resource.getrlimit(limit)
    if hard == resource.RLIM_INFINITY:
        continue
    try:
        resource.setrlimit(limit, (hard + 1, hard + 1))
        print('ESCAPED', limit)
    except (ValueError, OSError) as error:
        print('refused', type(error).__name__)
# %%
try:
    os.nice(-5)
    print('ESCAPED')
except OSError as error:
    print('refused', type(error).__name__)
try:
    with open('/proc/self/oom_score_adj', 'w') as file:
        file.write('-1000')
    print('ESCAPED')
except OSError as error:
    print('refused', type(error).__name__)
# %%
import glob
for path in glob.glob('/sys/fs/cgroup/**/*max*', recursive=True)[:100]:
    try:
        with open(path, 'w') as file:
            file.write('max')
        print('ESCAPED', path)
    except OSError as error:
        print('refused', type(error).__name__)
