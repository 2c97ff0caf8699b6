"""HEAD: what a GET would be answered with, without the answer itself."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectlab.web.safety import is_api


class Heads:
    """Middleware that answers HEAD on the API as GET, and ends with the headers.

    A stream of events ends there too: whoever answers hears that nobody listens any more.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; one for a head alone as one for everything."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or not is_api(scope["path"]):
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._app({**scope, "method": "GET"}, receive, sending)
