"""A multi-layer perceptron that learns the chance to win from whole games (Faußer 2008)."""
