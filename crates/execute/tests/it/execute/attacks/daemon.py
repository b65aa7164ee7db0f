# Leave a process behind that outlives everything.
# %%
import json, os, signal, time
stage = json.load(open('/kaggle/input/stage.json'))
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        os.execv('/bin/sh', ['/bin/sh', '-c', f'while true; do sleep 1; : {stage["marker"]}; done'])
    os._exit(0)
os.wait()
print('left')
