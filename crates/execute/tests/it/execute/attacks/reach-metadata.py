# Reach the address where clouds tell a machine its credentials. Not tried unless there is no route.
# %%
import socket, struct
devices = [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]
routes = open('/proc/net/route').read().splitlines()[1:]
alone = devices == ['lo'] and not routes
print(devices, routes) if alone else print('ESCAPED', devices, routes)

# %%
if alone:
    for host in ['169.254.169.254', '169.254.170.2', '100.100.100.200']:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
                client.settimeout(2)
                client.connect((host, 80))
                print('ESCAPED', host)
        except OSError as error:
            print('refused', error.errno)
