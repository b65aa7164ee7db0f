def backend_function(inputs, outputs, updates=None, **options):
    """What Keras had before 3.0: a function of arrays, from tensors of a model to others."""
    import keras
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    wanted = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    model = keras.Model([one for one in given if not isinstance(one, str)], wanted)
    def call(values):
        values = list(values) if isinstance(values, (list, tuple)) else [values]
        told = [value for one, value in zip(given, values) if isinstance(one, str)]
        values = [value for one, value in zip(given, values) if not isinstance(one, str)]
        found = model(values, training=bool(told and told[0]))
        found = [keras.ops.convert_to_numpy(one) for one in (found if isinstance(found, (list, tuple)) else [found])]
        return found if isinstance(outputs, (list, tuple)) else found[0]
    return call
