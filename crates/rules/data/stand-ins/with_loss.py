def with_loss(model, loss):
    """What add_loss of a model did before Keras 3.0: the model with one more loss."""
    import keras
    class WithLoss(keras.layers.Layer):
        def call(self, outputs, loss):
            self.add_loss(keras.ops.sum(loss))
            return outputs
    inputs, outputs = [ends[0] if len(ends) == 1 else ends for ends in (model.inputs, model.outputs)]
    return keras.Model(inputs, WithLoss()(outputs, loss))
