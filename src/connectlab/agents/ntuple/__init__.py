"""N-tuple networks trained by temporal differences."""
