"""What an exported player is made of: modules that need nothing but Python and, some, NumPy.

They import one another and nothing else of the package. The assembler joins those that a player
needs into one file, without the imports between them; so their names must differ, private ones too.
They run on Python 3.10.
"""
