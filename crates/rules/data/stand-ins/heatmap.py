(z, x=None, y=None, annotation_text=None, colorscale='Plasma', font_colors=None, showscale=False, reversescale=False, **kwargs):
    """What plotly had before 7.0: a heatmap with its numbers."""
    import numpy
    from plotly import graph_objects
    named = [labels is not None and len(labels) > 0 for labels in (x, y)]
    columns = list(x) if named[0] else list(range(len(z[0])))
    rows = list(y) if named[1] else list(range(len(z)))
    texts = z if annotation_text is None else annotation_text
    middle = (numpy.amin(z) + numpy.amax(z)) / 2
    colors = list(font_colors or ['#FFFFFF', '#000000'])
    if reversescale and not font_colors:
        colors.reverse()
    figure = graph_objects.Figure(
        graph_objects.Heatmap(z=z, x=columns, y=rows, colorscale=colorscale, showscale=showscale, reversescale=reversescale, **kwargs)
    )
    for row, values in enumerate(z):
        for column, value in enumerate(values):
            color = colors[0] if value < middle else colors[-1]
            figure.add_annotation(
                text=str(texts[row][column]), x=columns[column], y=rows[row], xref='x', yref='y', font={'color': color}, showarrow=False
            )
    shown = True in named
    figure.update_xaxes(ticks='', side='top', gridcolor='rgb(0, 0, 0)', showticklabels=shown)
    figure.update_yaxes(ticks='', ticksuffix='  ', showticklabels=shown)
    if shown:
        figure.update_xaxes(dtick=1)
        figure.update_yaxes(dtick=1)
    return figure
