# Read the working folder of a notebook that runs at the same time.
# %%
import json, os
stage = json.load(open('/kaggle/input/stage.json'))
try:
    print('ESCAPED', open(stage['other'] + '/submission.csv').read())
except OSError as error:
    print('refused', type(error).__name__)
# %%
seen = 0
for folder, folders, files in os.walk('/'):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in ('/proc', '/sys', '/usr', '/dev')]
    seen += 1
    if seen > 20000:
        break
    for name in files:
        if name == stage['marker'] + '.csv':
            print('ESCAPED', folder)
print('looked')
