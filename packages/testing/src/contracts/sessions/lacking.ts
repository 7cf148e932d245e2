import type { OpenSessions, OptionalSessionMethod } from '../describe-session-service.js';
import { expect, it } from '../test-runner.js';
import { KEY } from './conversation.js';

/** A method that a backend does without says so: callers go on by its code. */
export function promisesOfLacking(open: OpenSessions, lacks: readonly OptionalSessionMethod[]): void {
  for (const method of lacks) {
    it(`does without ${method}, and says so`, async () => {
      const sessions = await open();
      await sessions.createSession(KEY);

      switch (method) {
        case 'claimInvocation':
          await expect(sessions.claimInvocation(KEY, 'e-1')).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
          break;
        case 'listByLastEvent':
          await expect(
            sessions.listByLastEvent('app', { before: 1, matches: () => true }),
          ).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'renameSession':
          await expect(sessions.renameSession(KEY, 'A trip')).rejects.toMatchObject({
            code: 'NOT_SUPPORTED',
          });
          break;
        case 'stateUpdates':
          expect(await sessions.stateUpdates(KEY)).toEqual([]);
      }
    });
  }
}
