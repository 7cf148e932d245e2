import type { AuthConfig } from '../auth/auth-config.js';
import { credentialKeyOf } from '../auth/auth-config.js';
import type { CredentialScope } from '../auth/credential.service.js';
import { credentialForTool } from '../auth/guarded-credential.js';
import type { RequestedAuthConfig } from '../auth/requested-auth-config.js';
import { AdornError } from '../errors/adorn.error.js';
import type { Event } from '../events/event.js';
import { REQUEST_CREDENTIAL, TOOLSET_AUTH } from '../events/pending-request.js';
import type { CredentialArgs } from '../events/requests-of.js';
import type { Answer } from '../invocation/answer.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { unlessCancelled } from '../policies/unless-cancelled.js';
import { newCallId } from '../runtime/ids.js';
import { type Toolset, ToolsetContext } from '../tools/toolset.js';
import type { Tool } from '../tools/tool.js';
import type { TurnAgent } from './turn-agent.js';

/** The requests for credentials that the agent's toolsets cannot be listed without. */
export async function requestsOfToolsets(agent: TurnAgent, context: InvocationContext): Promise<Event[]> {
  const requests: Event[] = [];
  for (const toolset of agent.toolsets) {
    const { auth } = toolset;
    if (auth === undefined) continue;
    const user = userOf(context);
    const { auth: resolver } = context.services;
    const found = await unlessCancelled(resolver.find(user, auth), context.cancellation);
    if (found !== undefined) continue;
    const asked = await unlessCancelled(resolver.request(user, auth), context.cancellation);
    requests.push(requestEvent(agent, context, toolset, asked));
  }
  return requests;
}

function requestEvent(
  agent: TurnAgent,
  context: InvocationContext,
  toolset: Toolset,
  authConfig: RequestedAuthConfig,
): Event {
  const id = newCallId();
  const { name } = toolset.constructor;
  const functionCallId = `${TOOLSET_AUTH}${name}_${id}`;
  const args: CredentialArgs = {
    functionCallId,
    authConfig,
    originalFunctionCall: { id: functionCallId, name, args: {} },
  };
  return context.event({
    author: agent.name,
    content: { role: 'user', parts: [{ functionCall: { id, name: REQUEST_CREDENTIAL, args: { ...args } } }] },
    actions: { requestedAuthConfigs: { [functionCallId]: authConfig } },
    longRunningToolIds: [id],
  });
}

/** Exchanges the consents that came in for the agent's toolsets. One that cannot be exchanged is asked for anew. */
export async function endToolsetConsents(
  agent: TurnAgent,
  context: InvocationContext,
  answers: readonly Answer[],
): Promise<void> {
  const { auth, logger } = context.services;
  for (const { credential } of answers) {
    const config = agent.toolsets.map((one) => one.auth).find((one) => isOf(one, credential?.key));
    if (config === undefined) continue;
    try {
      await unlessCancelled(auth.find(userOf(context), config, credential), context.cancellation);
    } catch (error) {
      logger.warn('the credential of a toolset could not be obtained', { agent: agent.path, error });
    }
  }
}

function isOf(config: AuthConfig | undefined, key: string | undefined): boolean {
  return config !== undefined && credentialKeyOf(config) === key;
}

/** The tools of a toolset; none while its credential is missing. */
export async function listToolset(
  toolset: Toolset,
  agent: TurnAgent,
  context: InvocationContext,
): Promise<readonly Tool[]> {
  const { auth } = toolset;
  if (auth === undefined) return toolset.listTools(new ToolsetContext(context, agent));
  const resolver = context.services.auth;
  const found = await unlessCancelled(resolver.find(userOf(context), auth), context.cancellation);
  if (found === undefined) return [];
  try {
    return await toolset.listTools(new ToolsetContext(context, agent, credentialForTool(found.credential)));
  } catch (error) {
    if (AdornError.is(error) && error.code === 'CREDENTIAL_REJECTED')
      await resolver.forget(userOf(context), auth);
    throw error;
  }
}

function userOf({ appName, userId }: InvocationContext): CredentialScope {
  return { appName, userId };
}
