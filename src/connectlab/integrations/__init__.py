"""Ways into the worlds of others; each room stands on the lab and all below it."""
