"""The charts that programs print.

``reading``  output → the charts in it, and the text around them
``scales``   values as shares of an axis, and the values that are written at it
``words``    the few words of ours in a chart, and values as its language writes them
``drawing``  a chart in characters, for a terminal
"""
