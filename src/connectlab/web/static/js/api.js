// Talks to the server. Everything is JSON; whatever goes wrong is an ApiError with one sentence.

const ROOT = "/api/";
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** What the server refused, or that it could not be reached (status 0). */
export class ApiError extends Error {
  constructor(status, detail, retryAfter = null) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
    this.retryAfter = retryAfter; // seconds, if the server wishes so
  }

  /** Whether the same question may be answered a little later. */
  get mayRetry() {
    return this.status === 0 || this.status === 503;
  }
}

/** Whether an error only says that we ourselves gave a question up. */
function isAbort(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

// A name for this page alone, so that the server can be fair to visitors; it is kept nowhere.
const visitor = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");

const token = takeToken();

/** Take the token from behind # in the address, where no browser sends it anywhere. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  try {
    if (given) {
      sessionStorage.setItem("token", given);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return given ?? sessionStorage.getItem("token");
  } catch {
    return given; // a browser that keeps nothing
  }
}

function headers(more = {}) {
  const all = { "X-Visitor": visitor, ...more };
  if (token) all.Authorization = `Bearer ${token}`;
  return all;
}

function address(path) {
  return ROOT + path.replace(/^\/?(api\/)?/, "");
}

async function request(method, path, body, { signal } = {}) {
  const options = { method, signal, headers: headers(), cache: "no-store" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(address(path), options);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, "The server does not answer: is it still running?");
  }
  return read(response);
}

async function read(response) {
  if (response.status === 204) return null;
  const text = await response.text();
  let document = null;
  try {
    document = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(response.status, "The server answered with something else than JSON.");
  }
  if (!response.ok) {
    const wait = response.headers.get("Retry-After");
    throw new ApiError(response.status, document?.detail ?? `The server answered ${response.status}.`,
      /^\d+$/.test(wait ?? "") ? Number(wait) : null);
  }
  return document;
}

export const get = (path, options) => request("GET", path, undefined, options);
export const post = (path, body = {}, options) => request("POST", path, body, options);
export const put = (path, body = {}, options) => request("PUT", path, body, options);
export const del = (path, options) => request("DELETE", path, undefined, options);

/**
 * Follow a stream of server-sent events; `onEvent({type, data, id})` gets each, data as JSON.
 * A stream that breaks is taken up again, after the last event that was seen, until `signal` aborts
 * it or the server refuses it for good (then the promise rejects with an ApiError).
 */
export async function stream(path, onEvent, { signal, onLost } = {}) {
  let last = null;
  let pause = FIRST_PAUSE_MS;
  while (!signal?.aborted) {
    try {
      const more = { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": last }) };
      const response = await fetch(address(path), { headers: headers(more), signal, cache: "no-store" });
      if (!response.ok) await read(response);
      if (response.status === 204) return; // the server has nothing more to tell
      for await (const event of events(response.body)) {
        pause = FIRST_PAUSE_MS;
        if (event.id !== null) last = event.id;
        onEvent(event);
      }
    } catch (error) {
      if (signal?.aborted || isAbort(error)) return;
      if (error instanceof ApiError && !error.mayRetry) throw error;
      onLost?.(error);
    }
    await sleep(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Yield the events of a body. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer = (buffer + value).replaceAll("\r\n", "\n");
      let end;
      while ((end = buffer.indexOf("\n\n")) >= 0) {
        const event = parseEvent(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (event !== null) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(block) {
  const event = { type: "message", data: null, id: null };
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) continue; // a comment that keeps the connection alive
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event.type = value;
    else if (field === "data") data.push(value);
    else if (field === "id") event.id = value;
  }
  if (data.length === 0) return null;
  event.data = JSON.parse(data.join("\n"));
  return event;
}

function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
