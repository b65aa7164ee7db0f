# Print without end.
# %%
while True:
    print('spam ' * 1000)
