"""``python -m connectlab`` is the command line."""

from connectlab.cli import main

if __name__ == "__main__":
    main()
