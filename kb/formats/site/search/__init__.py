"""Search in the pages of a site, without a server: an index and a script that reads it."""
