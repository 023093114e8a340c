"""The charts that programs print.

``reading``  output → the charts in it, and the text around them
``scales``   values as shares of an axis, and its labels in a language
``drawing``  a chart in characters, for a terminal
"""
