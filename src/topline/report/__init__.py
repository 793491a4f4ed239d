"""What people read: tables, plots and the page."""
