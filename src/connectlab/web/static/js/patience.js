/** Patience with a busy server: the same question again after as long as the server wishes. */

const BUSY = 503;
const LONGEST_S = 30;

/**
 * Wait, unless somebody loses interest.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejects with an AbortError
 */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const lose = () => {
      clearTimeout(timer);
      reject(new DOMException("nobody waits any longer", "AbortError"));
    };
    if (signal?.aborted) lose();
    signal?.addEventListener("abort", lose, { once: true });
  });
}

/**
 * Ask, and ask again while the server is busy.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {{again: number, signal?: AbortSignal}} how how often again, and who may lose interest
 * @returns {Promise<T>}
 */
export async function patient(ask, { again, signal }) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (error.status !== BUSY || tries > again) throw error;
      await pause(1000 * Math.min(error.retryAfter ?? tries, LONGEST_S), signal);
    }
  }
}
