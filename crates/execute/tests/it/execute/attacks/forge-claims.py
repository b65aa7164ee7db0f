# Claim numbers and dates that no notebook can have.
# %%
kernel = get_ipython().kernel
parent = kernel.get_parent()
for count in (2 ** 63, -5, 10 ** 30, 'x'):
    kernel.session.send(kernel.iopub_socket, 'execute_input', {'execution_count': count, 'code': ''}, parent=parent, ident=b'x')
    kernel.session.send(kernel.iopub_socket, 'execute_result', {'execution_count': count, 'data': {'text/html': 5, 'text/plain': {'a': []}}, 'metadata': {}}, parent=parent, ident=b'x')
message = kernel.session.msg('execute_input', {'execution_count': 1, 'code': ''}, parent=parent)
message['header']['date'] = '\x1b]52;c;eA==\x07'
kernel.session.send(kernel.iopub_socket, message, ident=b'x')
print('claimed')
