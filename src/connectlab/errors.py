"""The mistakes a user can make, told in one line."""


class UserError(ValueError):
    """Something the user asked for is wrong; the message says what, and what would be right."""


class GameError(UserError):
    """A board, move, position or drawing that the rules do not allow."""
