"""The composition root: settings become one wired house, which is opened, served and closed here."""
