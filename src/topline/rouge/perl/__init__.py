"""ROUGE-1.5.5.pl without Perl: its flags, its files, its print-out, byte for byte.

flags ──► config ──► files, be ──► evaluate ──► printout, all called by `run`.
"""
