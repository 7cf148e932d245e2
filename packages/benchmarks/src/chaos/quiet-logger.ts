import { Logger } from '@adorn/core';

/** Says nothing: dead runs and takeovers are warned about by the thousand. */
export class QuietLogger extends Logger {
  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (): void => undefined;
  error = (): void => undefined;
}
