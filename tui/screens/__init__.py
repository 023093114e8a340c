"""What fills the terminal: the main screen, the help and the export form."""
