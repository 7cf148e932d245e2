import { isLoopback } from '@adorn/core/backend';

import { NetworkBlockedError } from '../errors.js';

/** Where somebody connects to: a host and a port, or the path of a socket. Without a port for a look-up of a name. */
export interface NetworkTarget {
  readonly host: string;
  readonly port?: number | undefined;
}

/** What `fetch` is for the runs of a test runner. */
export type TestFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What the runs of one test runner may connect to. */
export class NetworkPolicy {
  /**
   * @param allowed true for everything, or hosts such as `127.0.0.1` and `api.example.com:443`
   * @param refused called with each refusal
   * @param fetch called in the place of the global `fetch`
   */
  constructor(
    private readonly allowed: boolean | readonly string[],
    private readonly refused: (error: NetworkBlockedError) => void,
    readonly fetch?: TestFetch,
  ) {}

  /** The policy of the code that is called in the place of `fetch`, and may call it. */
  behindFetch(): NetworkPolicy {
    return new NetworkPolicy(this.allowed, this.refused);
  }

  /** The error of an attempt that is refused; undefined if it is allowed. */
  refusalOf(target: NetworkTarget): NetworkBlockedError | undefined {
    if (this.allows(target)) return undefined;
    const error = new NetworkBlockedError(target);
    this.refused(error);
    return error;
  }

  private allows({ host, port }: NetworkTarget): boolean {
    if (typeof this.allowed === 'boolean') return this.allowed;
    return this.allowed.some((entry) => {
      const [, name = entry, only] = /^(.*[^:]):(\d+)$/.exec(entry) ?? [];
      const isHost = name === host || (isLoopback(name) && isLoopback(host));
      return isHost && (only === undefined || port === undefined || Number(only) === port);
    });
  }
}
