# Read, or change, the store with the results.
# %%
import json, sqlite3
stage = json.load(open('/kaggle/input/stage.json'))
try:
    print('ESCAPED', open(stage['store'], 'rb').read(16))
except OSError as error:
    print('refused', type(error).__name__)
# %%
sqlite3.connect(stage['store']).execute('create table attack (a)')
