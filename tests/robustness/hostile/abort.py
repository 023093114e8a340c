"""Abort."""
# Ends: killed

os.abort()
