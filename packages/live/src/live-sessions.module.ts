import { ContainerModule } from '@adorn/core';
import { LiveSessions, type LiveSession, type LiveStart } from '@adorn/core/backend';

import { ConnectedSession } from './session/connected-session.js';

/** Sessions that are connected to live models. */
class ConnectedSessions extends LiveSessions {
  open(start: LiveStart): LiveSession {
    return new ConnectedSession(start);
  }
}

/**
 * Live sessions, for `runner.live`. `createRunner` of `adorn` has this module.
 *
 * @example
 * const runner = await createRunner(Support, { modules: [liveSessions] });
 */
export const liveSessions = new ContainerModule(({ bind, isBound }) => {
  if (!isBound(LiveSessions)) bind(LiveSessions).toConstantValue(new ConnectedSessions());
});
