/** What a peer answered with instead of a result. */
export interface PeerAnswer {
  /** The code of a JSON-RPC error. */
  readonly code?: unknown;
  /** The HTTP status. */
  readonly status?: unknown;
}

/**
 * The errors of JSON-RPC by which a peer says that it has run nothing: it could not read the request, knows no such method, or
 * took the parameters for wrong. An internal error (-32603) and the codes of peers say nothing of the kind.
 */
const CODES: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602]);

/**
 * The statuses that a server, or what stands before it, answers with before a request is acted on. 400, 409, 422 and those from
 * 500 on also tell of a request that failed half-way.
 */
const STATUSES: ReadonlySet<unknown> = new Set([
  ...[401, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 417, 421, 426, 428, 429, 431, 501],
]);

/**
 * True if a peer says that it did not run a request; false if the request may have taken effect, and must not be made again
 * unless that is harmless. The one rule for all peers.
 */
export function isRefusedBeforehand({ code, status }: PeerAnswer): boolean {
  return typeof code === 'number' ? CODES.has(code) : STATUSES.has(status);
}
