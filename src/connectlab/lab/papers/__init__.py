"""The tables and figures of the papers, computed again and put beside what was published."""
