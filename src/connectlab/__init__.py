"""connectlab: learn Connect-N by self-play and prove the result against perfect play."""

__version__ = "0.1.0"
