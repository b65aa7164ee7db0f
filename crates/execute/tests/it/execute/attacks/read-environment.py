# Find a key in the environment of any process.
# %%
import glob, os
texts = [repr(dict(os.environ)).encode()]
for path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):
    try:
        texts.append(open(path, 'rb').read())
    except OSError:
        pass
for text in texts:
    print(text.decode(errors='replace').replace('\0', '\n'))
