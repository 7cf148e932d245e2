/** An answer whose status is not 200, read whole. Never leaves this package. */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    /** Google's name of the status, such as `NOT_FOUND`; undefined if the body is not Google's. */
    readonly reason: string | undefined,
    /** Google's message, or the whole body. It may repeat the key. */
    message: string,
    readonly details: readonly Readonly<Record<string, unknown>>[],
    /** The header, as it was sent. */
    readonly retryAfter: string | undefined,
  ) {
    super(message);
  }
}

/** Reads an answer whose status is not 200. A redirect, which is never followed, is reported by its target's origin. */
export async function readHttpFailure(response: Response): Promise<HttpFailure> {
  const { status, statusText, headers } = response;
  const text = await response.text().catch(() => '');
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return new HttpFailure(
      status,
      undefined,
      `a redirect to ${originOf(location, response.url)}`,
      [],
      undefined,
    );
  return parseHttpFailure(status, text, headers.get('retry-after') ?? undefined, statusText);
}

/** Without path, query and user name, any of which may hold a secret. */
function originOf(location: string, base: string): string {
  return URL.canParse(location, base) ? new URL(location, base).origin : 'an invalid URL';
}

/** Reads the body of a failure. */
export function parseHttpFailure(
  status: number,
  text: string,
  retryAfter?: string,
  statusText = '',
): HttpFailure {
  const error = googleErrorIn(text);
  const message = messageOf(error) ?? (text.trim() || statusText || 'It gave no reason.');
  const reason = typeof error?.['status'] === 'string' ? error['status'] : undefined;
  const details = Array.isArray(error?.['details']) ? (error['details'] as unknown[]).filter(isObject) : [];
  return new HttpFailure(status, reason, message, details, retryAfter);
}

/** Google's error object is the body, the only element of a list, or an event of a stream. */
function googleErrorIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\s*data:/, ''));
    const body: unknown = Array.isArray(parsed) ? (parsed as unknown[])[0] : parsed;
    return isObject(body) && isObject(body['error']) ? body['error'] : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: Record<string, unknown> | undefined): string | undefined {
  const message = error?.['message'];
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
