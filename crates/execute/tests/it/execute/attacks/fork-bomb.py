# Fork without end.
# %%
import os, time
children = 0
while True:
    try:
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)
        children += 1
    except OSError as error:
        print('refused after', children, type(error).__name__)
        break
