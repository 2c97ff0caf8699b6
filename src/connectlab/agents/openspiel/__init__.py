"""Bots of OpenSpiel as players."""
