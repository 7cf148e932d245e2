import { ContainerModule, Logger } from '@adorn/core';

/** Writes nothing: what is logged is not looked at. */
export class QuietLogger extends Logger {
  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (): void => undefined;
  error = (): void => undefined;
}

/** Has a runner write nothing. */
export const quiet = new ContainerModule(({ bind }) => void bind(Logger).to(QuietLogger));
