import { type AuthConfig, credentialKeyOf } from '../auth/auth-config.js';
import type { CredentialScope } from '../auth/credential.service.js';
import type { Event } from '../events/event.js';
import type { StoredAgain } from '../events/asked-again.js';
import {
  type CredentialArgs,
  type PendingRequestData,
  requestCall,
  requestsOf,
  TOOLSET_AUTH,
} from '../events/pending-request.js';
import { requesterToStore } from '../events/requester.js';
import { logOf, type Session } from '../events/session.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import type { Answer } from '../log/pending-call-index.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { newCallId } from '../runtime/ids.js';
import type { Toolset } from '../tools/toolsets/toolset.js';
import { nameOfToolset } from '../tools/toolsets/wrapped.toolset.js';
import type { TurnAgent } from './turn-agent.js';

/** A toolset whose listing needs a credential. */
export type AuthorisedToolset = Toolset & { readonly auth: AuthConfig };

/** The request for the credential that a toolset declares in `auth`. */
export async function requestOfToolset(
  toolset: AuthorisedToolset,
  agent: TurnAgent,
  context: InvocationContext,
): Promise<Event> {
  const asking = context.services.auth.request(userOf(context), toolset.auth);
  const authConfig = await context.cancellation.wait(asking);
  const id = newCallId();
  const name = nameOfToolset(toolset);
  const functionCallId = `${TOOLSET_AUTH}${name}_${id}`;
  const args: CredentialArgs = {
    functionCallId,
    authConfig,
    originalFunctionCall: { id: functionCallId, name, args: {} },
    askedBy: 'toolset',
  };
  const askedAgain = reasonToAskAgain(context.session, authConfig.credentialKey);
  const requester = requesterToStore(context.requester, context.userId);
  const functionCall = requestCall({ id, kind: 'credential', args, askedAgain, requester });
  return context.event({
    author: agent.name,
    content: { role: 'user', parts: [{ functionCall }] },
    actions: { requestedAuthConfigs: { [functionCallId]: authConfig } },
    longRunningToolIds: [id],
  });
}

/** A toolset asks again if its last request of this credential was answered. */
function reasonToAskAgain(session: Session, key: string): StoredAgain | undefined {
  const answered = new Set<string | undefined>();
  for (const event of effectiveEventsBackwards(logOf(session))) {
    if (event.author === 'user') for (const { id } of event.functionResponses) answered.add(id);
    const earlier = requestsOf(event).find((one) => isOfToolset(one, key));
    if (earlier)
      return answered.has(earlier.id) ? { reason: 'CREDENTIAL_MISSING', request: earlier.id } : undefined;
  }
  return undefined;
}

function isOfToolset({ askedBy, authConfig }: PendingRequestData, key: string): boolean {
  return askedBy === 'toolset' && authConfig?.credentialKey === key;
}

/** Exchanges the received consents for the agent's toolsets. If an exchange fails, the consent is requested again. */
export async function endToolsetConsents(
  agent: TurnAgent,
  context: InvocationContext,
  answers: readonly Answer[],
): Promise<void> {
  const { auth, logger } = context.services;
  for (const { credential } of answers) {
    const config = agent.toolsets.map((one) => one.auth).find((one) => isOf(one, credential?.key));
    if (!config) continue;
    try {
      await context.cancellation.wait(auth.find(userOf(context), config, credential));
    } catch (error) {
      logger.warn('the credential of a toolset could not be obtained', { agent: agent.path, error });
    }
  }
}

function isOf(config: AuthConfig | undefined, key: string | undefined): boolean {
  return config !== undefined && credentialKeyOf(config) === key;
}

function userOf({ appName, userId }: InvocationContext): CredentialScope {
  return { appName, userId };
}
