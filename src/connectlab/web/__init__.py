"""The web lab: a server for a page on which people play, analyse, look inside and train.

Only this room knows FastAPI. The server process itself loads no kernel: whatever computes runs in
worker processes (:mod:`connectlab.web.workers`).
"""
