# Read what belongs to the user who started nbrevive.
# %%
import json, os
stage = json.load(open('/kaggle/input/stage.json'))
for place in [stage['home'], os.path.expanduser('~'), '/root', '/home']:
    for folder, _, files in os.walk(place):
        for name in files:
            try:
                text = open(os.path.join(folder, name), 'rb').read(1 << 16)
            except OSError:
                continue
            if stage['marker'].encode() in text:
                print('ESCAPED', folder, name)
# %%
try:
    print('ESCAPED', os.listdir(stage['home']))
except OSError as error:
    print('refused', type(error).__name__)
