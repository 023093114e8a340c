"""Screens: the main screen, forms and dialogs."""
