"""What people say: lexicon, dates, yes and no, the language of a text."""
