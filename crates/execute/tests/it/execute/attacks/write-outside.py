# Write anywhere but in the working folder.
# %%
import json, os
stage = json.load(open('/kaggle/input/stage.json'))
places = ['/', '/usr', '/usr/lib', '/etc', '/opt', '/kaggle', '/kaggle/input', '/kaggle/input/data', '/dev', '/run', '/proc', '/sys',
          '/var', '/var/tmp', '/kaggle/working/..', stage['home'], stage['other'], stage['folder']]
for place in places:
    try:
        with open(os.path.join(place, 'attack'), 'w') as file:
            file.write('x')
        print('ESCAPED', place)
    except OSError as error:
        print('refused', type(error).__name__)
# %%
for path in ['/kaggle/input/stage.json', '/kaggle/input/data/train.csv', '/etc/passwd', '/proc/sys/kernel/hostname', '/proc/sysrq-trigger']:
    try:
        with open(path, 'a') as file:
            file.write('x')
        print('ESCAPED', path)
    except OSError as error:
        print('refused', type(error).__name__)
