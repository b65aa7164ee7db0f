# Reach a public address. Not tried unless the sandbox has no device but its own loopback and no route, so that nothing leaves.
# %%
import socket, struct
devices = [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]
routes = open('/proc/net/route').read().splitlines()[1:]
alone = devices == ['lo'] and not routes
print(devices, routes) if alone else print('ESCAPED', devices, routes)

# %%
if alone:
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(socket.AF_INET, kind) as client:
                client.settimeout(2)
                client.connect(('192.0.2.1', 80))
                print('ESCAPED')
        except OSError as error:
            print('refused', error.errno)
# %%
if alone:
    try:
        print('ESCAPED', socket.getaddrinfo('example.org', 80))
    except OSError as error:
        print('refused', type(error).__name__)
