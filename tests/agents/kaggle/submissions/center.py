"""Plays the column with room that is nearest to the middle, the left one of two."""


def center_agent(obs, config):
    free = [c for c in range(config.columns) if obs.board[c] == 0]
    return min(free, key=lambda column: abs(2 * column - (config.columns - 1)))
