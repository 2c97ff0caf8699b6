"""Deep Q-networks (Dangel, Merkel and Wegert 2021), and what was found for them since."""
