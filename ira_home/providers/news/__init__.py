"""News, behind the port `NewsReader`."""
