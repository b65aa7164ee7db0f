# Talk to a daemon of the host by a unix socket: in the file system, in the abstract name space, and to the machine below.
# %%
import json, socket
stage = json.load(open('/kaggle/input/stage.json'))
for address in [stage['socket'], '\0' + stage['marker'], '/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket']:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(2)
            client.connect(address)
            print('ESCAPED', repr(address))
    except OSError as error:
        print('refused', type(error).__name__)
# %%
for family in (40, 16, 17, 38):
    try:
        socket.socket(family, socket.SOCK_RAW, 12)
        print('ESCAPED', family)
    except OSError as error:
        print('refused', type(error).__name__)
