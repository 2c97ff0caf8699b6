"""Doors to other worlds: what outside programs import to meet the players of this house."""
