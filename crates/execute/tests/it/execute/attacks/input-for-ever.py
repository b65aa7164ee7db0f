# Wait for a person's answer.
# %%
try:
    input('password? ')
    print('ESCAPED')
except Exception as error:
    print('refused', type(error).__name__)
# %%
import sys
print(repr(sys.stdin.read(1)) if not sys.stdin.closed else 'closed')
