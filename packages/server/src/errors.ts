import { AdornError } from '@adorn/core';

/** An option of `serve`, `adornHandler` or `createAdornClient` does not exist, or has a value that cannot be used. */
export class ServerOptionInvalidError extends AdornError {
  readonly code = 'SERVER_OPTION_INVALID';

  /** @param fault what is wrong, without a period; without secrets */
  constructor(caller: string, fault: string, cure: string) {
    super(`${caller}: ${fault}. ${cure}`);
  }
}

/** A request that the server refuses, with the status of its response. */
export abstract class RequestError extends AdornError {
  /** The status of the response. */
  abstract readonly status: number;
  /** The field of the body, or the parameter, that is wrong. */
  readonly field?: string | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The path where a person signs in, if that is what lacks. */
  readonly signIn?: string | undefined;
}

/** The body or a parameter of a request cannot be used. */
export class RequestInvalidError extends RequestError {
  readonly code = 'REQUEST_INVALID';

  /**
   * @param fault what is wrong, without a period
   * @param field the field or parameter, if one is wrong
   */
  constructor(
    fault: string,
    cure: string,
    override readonly field?: string,
    readonly status: 400 | 413 | 415 = 400,
  ) {
    super(`The request was refused: ${fault}. ${cure}`);
  }
}

/** A request has no valid credential, or comes from a host or a page that may not call. */
export class AccessRefusedError extends RequestError {
  readonly code = 'ACCESS_REFUSED';
  override readonly headers: Readonly<Record<string, string>> | undefined;
  override readonly signIn: string | undefined;

  /** @param how the way to a credential, for a client: headers of the response, or the path of a sign-in page */
  constructor(
    readonly status: 401 | 403,
    fault: string,
    cure: string,
    how: Pick<RequestError, 'headers' | 'signIn'> = {},
  ) {
    super(`The request was refused: ${fault}. ${cure}`);
    this.headers = how.headers;
    this.signIn = how.signIn;
  }
}

/** There is nothing at that address, or it belongs to another user. */
export class NotFoundError extends RequestError {
  readonly code = 'NOT_FOUND';
  readonly status = 404;
}

/** A user, or all users together, have reached a limit of the server. */
export class LimitReachedError extends RequestError {
  readonly code = 'LIMIT_REACHED';

  /** @param status 429 for a limit of the user, 503 for one of all users */
  constructor(
    fault: string,
    cure: string,
    readonly status: 429 | 503 = 429,
  ) {
    super(`The request was refused: ${fault}. ${cure}`);
  }
}
