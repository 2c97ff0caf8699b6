/** Asks the server; a stand-in until the server brings its own. */
export class ApiError extends Error {
  constructor(status, detail) { super(detail); this.status = status; this.detail = detail; }
}
async function ask(method, path, body, { signal } = {}) {
  let answer;
  try {
    answer = await fetch(`/api${path}`, { method, signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "the server does not answer");
  }
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(answer.status, document.detail ?? answer.statusText);
  return document;
}
export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, body, options) => ask("POST", path, body, options);
export const put = (path, body, options) => ask("PUT", path, body, options);
export const del = (path, options) => ask("DELETE", path, undefined, options);
