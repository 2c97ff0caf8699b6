"""Asks the API of a running server, as a page does."""

from dataclasses import dataclass

import httpx
from serving import Lab

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Api:
    """The API of a server; paths are those below /api."""

    lab: Lab

    def get(self, path: str) -> httpx.Response:
        return self._ask("GET", path)

    def post(self, path: str, body: object) -> httpx.Response:
        return self._ask("POST", path, body)

    def put(self, path: str, body: object) -> httpx.Response:
        return self._ask("PUT", path, body)

    def delete(self, path: str) -> httpx.Response:
        return self._ask("DELETE", path)

    def _ask(self, method: str, path: str, body: object | None = None) -> httpx.Response:
        url = f"{self.lab.url}/api{path}"
        return httpx.request(method, url, json=body, timeout=PATIENCE_S)
