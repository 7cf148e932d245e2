/** The options of `createAdornClient`. */
export interface AdornClientOptions {
  /** The application. Default: the only one of the server. */
  readonly app?: string;
  /** The user, for holders of the server's token. With `authenticate` the server knows the user. Default: the server's. */
  readonly user?: string;
  /** Sent as `Authorization: Bearer`. Default: the cookies of the page. */
  readonly token?: string | (() => string | Promise<string>);
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** How often a broken stream is taken up again before its run rejects. Default: 10. */
  readonly maxReconnects?: number;
}

/** A request that failed: refused by the server, or never answered. */
export class AdornClientError extends Error {
  override readonly name = 'AdornClientError';
  /** The path of the server's origin where a person signs in, with status 401 of a server that has one. */
  readonly signIn?: string | undefined;

  /**
   * @param status of the response; 0 if there was none
   * @param code such as `SESSION_NOT_FOUND`; `NETWORK` if there was no response
   * @param field the field of the request that is wrong
   */
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly field?: string,
    { signIn, ...options }: ErrorOptions & { readonly signIn?: string | undefined } = {},
  ) {
    super(message, options);
    this.signIn = signIn;
  }
}
