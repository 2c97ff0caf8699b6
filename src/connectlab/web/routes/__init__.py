"""The API: one router for a noun."""
