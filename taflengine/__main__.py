"""``python -m taflengine`` does what the command ``taflengine`` does."""

from taflengine.cli import main

if __name__ == "__main__":
    main()
