"""Who may ask what: hosts, origins, sizes, tokens, and what browsers are told not to do.

Plain ASGI, so that nothing stands between a route and the news that its client is gone.
"""

import asyncio
import hmac
import ipaddress
import logging
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectlab.web.errors import refuse
from connectlab.web.options import Options, WebError, is_loopback

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
MISTAKE = "the server made a mistake, which it has logged"
NO_HOST = frozenset("/?#@\\ \t")
"""What stands in no honest Host header."""
READING = frozenset({"GET", "HEAD"})
OWN_SITES = frozenset({"same-origin", "none"})
"""What a browser says of a request that our own page, or the person, made."""

_log = logging.getLogger(__name__)


class Safety:
    """Middleware that refuses what no honest page would send, before anything else sees it."""

    def __init__(self, app: ASGIApp, options: Options) -> None:
        self._app = app
        self._options = options
        self._names = frozenset() if options.is_local else own_names()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request and pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refuse(*refused)(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._options.limits.body_s):
                body = await self._body(receive) if scope["method"] not in READING else b""
        except ClientDisconnect:
            return
        except (WebError, TimeoutError) as error:
            status, told = (
                getattr(error, "status", 408),
                str(error) or "the request came too slowly",
            )
            await refuse(status, told)(scope, receive, send)
            return
        await self._answer(scope, _replay(body, receive), send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the routes answer; a mistake of ours is logged and told in a sentence."""
        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except Exception:
            _log.exception("a mistake over %s %s", scope["method"], scope["path"])
            if not begun:
                await refuse(500, MISTAKE)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if not is_our_host(headers.get("host", ""), self._options.host, self._names):
            return 421, "this server goes by another name"
        if scope["method"] not in READING and not is_own_site(headers):
            return 403, "another site may not ask this server to do anything"
        token = self._options.token
        if token is not None and is_api(scope["path"]) and not _knows(headers, token):
            return 401, "this server wants its token: open the address that it printed"
        return None

    async def _body(self, receive: Receive) -> bytes:
        """Read the whole body, and no more of it than is allowed, whatever its header says."""
        most = self._options.limits.body_bytes
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise WebError(f"a request has at most {most:,} bytes", 413)
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


def own_names() -> frozenset[str]:
    """Return what this machine is called; to find out may take seconds, so it is asked once."""
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})


def is_our_host(header: str, bound: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a Host header names this server, which listens on ``bound`` and has such names.

    A page of a stranger can give its own name our address (DNS rebinding), so names are ours only
    if we know them. An address is no name; on this machine alone it must be one of this machine.
    """
    if set(header) & NO_HOST:
        return False
    try:
        host = urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return False
    if host == bound.lower() or is_loopback(host):
        return True
    if is_loopback(bound):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host in names
    return True


def is_own_site(headers: Headers) -> bool:
    """Whether our own page asks, or no page at all."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site not in OWN_SITES:
        return False
    return origin is None or origin.partition("://")[2] == headers.get("host", "")


def is_api(path: str) -> bool:
    """Whether a path leads to more than the files of the page; those hold no secret."""
    return path.startswith("/api/") and path != "/api/"


def _knows(headers: Headers, token: str) -> bool:
    kind, _, given = headers.get("authorization", "").partition(" ")
    return kind.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read once more, and then what comes after it."""
    told = False

    async def receiving() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving
