"""The random numbers of the games once more, slow and obviously right."""

WORD = 2**64


class Stream:
    """SplitMix64 (Steele, Lea and Flood 2014) in Python's whole numbers."""

    def __init__(self, seed: int, game: int) -> None:
        self.state = mix(seed ^ mix(game))

    def _next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        return mix(self.state)

    def uniform(self) -> float:
        return (self._next() >> 11) * 2.0**-53

    def below(self, n: int) -> int:
        return ((self._next() >> 32) * n) >> 32


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)
