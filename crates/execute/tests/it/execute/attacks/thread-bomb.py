# Start threads without end.
# %%
import threading, time
threads = 0
while threads < 100000:
    try:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        threads += 1
    except RuntimeError as error:
        print('refused after', threads, error)
        break
else:
    print('ESCAPED', threads)
