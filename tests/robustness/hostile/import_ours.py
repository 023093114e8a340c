"""Import danesh itself, and open the reader's knowledge base."""

try:
    import kb

    with kb.open_library(T["database"]) as library:
        harm(f"opened it: {library}")
except (ImportError, AttributeError, OSError):
    pass
except Exception as error:
    print(type(error).__name__)
