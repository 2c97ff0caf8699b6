"""Agents written for Kaggle's ConnectX as players, each in a child process."""
