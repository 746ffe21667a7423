"""`python -m lighteval_fix` is `lighteval-fix`."""

from .cli.app import main

if __name__ == "__main__":
    main()
