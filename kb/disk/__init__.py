"""Files as the operating system has them: kept through a power cut, and cleared up after a kill."""
