"""What fills the terminal: the main screen, and forms and questions before it."""
