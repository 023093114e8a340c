"""A course as static pages that need no server and no script."""
