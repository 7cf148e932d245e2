import type { Logger } from '../runtime/logger.js';

/** The user of a conversation whose address names none. */
export const DEFAULT_USER = 'user';

/**
 * Warns once if several named sessions are left to the default user: `user:` state, memory and credentials would be
 * shared by everybody who talks to a server that forgets to pass a `userId`.
 */
export class DefaultUserWarning {
  private firstSession: string | undefined;
  private isGiven = false;

  constructor(private readonly logger: Logger) {}

  /** @param sessionId a session that the caller named, of a user that it did not */
  note(sessionId: string): void {
    this.firstSession ??= sessionId;
    if (this.isGiven || this.firstSession === sessionId) return;
    this.isGiven = true;
    this.logger.warn(
      `several sessions belong to the default user "${DEFAULT_USER}", which shares its state, memory and credentials ` +
        'among them: pass userId to run, ask and pending',
    );
  }
}
