/** What of the host an attack aims at. */
export interface Target {
  /** A file of the host that holds the secret. */
  readonly file: string;
  /** A file of the host that an escape would create. */
  readonly trace: string;
  /** The port of a server of the host on the loopback address. */
  readonly port: number;
}

/** A program that must not reach the host, nor run without end. It prints `BREACH` with what it has reached. */
export interface Attack {
  readonly name: string;
  readonly language: 'javascript' | 'python' | 'bash';
  readonly code: (target: Target) => string;
  /** True if it never ends by itself: it must be stopped, or fail. */
  readonly isBomb?: boolean;
  /** True if it reaches the host where there is no sandbox, which shows that the attack is one. */
  readonly hasControl?: boolean;
}
