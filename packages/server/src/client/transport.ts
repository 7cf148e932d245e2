import { type AdornClientOptions, AdornClientError } from './client-options.js';

/** A request to the server. */
export interface ClientRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
}

/** Sends requests to a server, and turns refusals into errors. */
export class Transport {
  private readonly base: string;

  constructor(
    private readonly url: string,
    private readonly options: AdornClientOptions,
  ) {
    this.base = url.replace(/\/$/, '');
  }

  /** The same server, for what belongs to a user. */
  of(user: string): Transport {
    return new Transport(this.url, { ...this.options, user });
  }

  async json<Value>(path: string, request: ClientRequest = {}): Promise<Value> {
    const response = await this.send(path, request);
    return (response.status === 204 ? undefined : await response.json()) as Value;
  }

  /** @throws {AdornClientError} if the server refuses the request or does not answer */
  async send(path: string, request: ClientRequest): Promise<Response> {
    const { method = 'GET', query = {}, body, signal, lastEventId } = request;
    const headers = new Headers(this.options.headers);
    const token = await this.token();
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    const init: RequestInit = { method, headers, credentials: 'include' };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    const response = await this.fetched(this.urlOf(path, query), init);
    if (response.ok) return response;
    throw await refusalOf(response);
  }

  private async fetched(url: string, init: RequestInit): Promise<Response> {
    const { fetch: send = fetch } = this.options;
    try {
      return await send(url, init);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new AdornClientError(`The server at ${this.base} did not answer.`, 0, 'NETWORK', undefined, {
        cause,
      });
    }
  }

  private urlOf(path: string, query: NonNullable<ClientRequest['query']>): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ user: this.options.user, ...query }))
      if (value !== undefined) parameters.set(name, value);
    const text = parameters.toString();
    return `${this.base}${path}${text === '' ? '' : `?${text}`}`;
  }

  private token(): string | undefined | Promise<string> {
    const { token } = this.options;
    return typeof token === 'function' ? token() : token;
  }
}

async function refusalOf(response: Response): Promise<AdornClientError> {
  const text = await response.text().catch(() => '');
  const { error, code, field, signIn } = parse(text);
  const { status } = response;
  const message = typeof error === 'string' ? error : `The server answered with status ${String(status)}.`;
  const told = typeof code === 'string' ? code : `HTTP_${String(status)}`;
  return new AdornClientError(message, status, told, textOf(field), { signIn: textOf(signIn) });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
