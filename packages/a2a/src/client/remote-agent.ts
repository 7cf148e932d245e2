import { agent, type AgentClass, BaseAgent, type Event, type InvocationContext } from '@adorn/core';
import type { AgentCard } from '@a2a-js/sdk';

import { A2aConfigInvalidError } from '../errors.js';
import { cleanText } from '../protocol/clean-text.js';
import { Peer } from './peer.js';
import { checkRemoteOptions, type PeerOptions, type RemoteAgentOptions } from './remote-agent-options.js';
import { RemoteConversation } from './remote-conversation.js';

const MOST_DESCRIPTION = 1_000;

/** An agent of another host, which is used wherever an agent is. Made by `remoteAgent`. */
export abstract class RemoteAgent extends BaseAgent {
  protected abstract readonly peer: Peer;

  override run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
    return new RemoteConversation(this.peer, context).run();
  }
}

/**
 * Makes an agent class of an agent that is served over A2A, in revision 0.3 or 1.0. A message to it is a task there; what the
 * task needs is asked of the user here; a run that is cancelled cancels the task. The task is in the log, so that a process
 * that takes over a run finds it again and sends no message twice. What the peer says is untrusted.
 *
 * ```ts
 * const Weather = remoteAgent('https://weather.example.com', { name: 'weather', description: 'Forecasts.' });
 * const Desk = defineAgent({ name: 'desk', subAgents: [Weather] });
 * ```
 *
 * @param source the URL of the agent, below which its card is, or of the card itself; or the card
 * @throws {A2aConfigInvalidError} if an option does not exist or cannot be used, or an address is neither https nor local
 */
export function remoteAgent(source: string | URL | AgentCard, options: RemoteAgentOptions = {}): AgentClass {
  checkRemoteOptions('remoteAgent', source, options);
  const { name, description, ...peerOptions } = options;
  const card = typeof source === 'string' || source instanceof URL ? undefined : source;
  const remote = new Peer(source, peerOptions);
  const said = {
    name: name ?? (card && nameOf(card.name)),
    description: description ?? (card && cleanText(card.description, MOST_DESCRIPTION)),
  };
  for (const [option, value] of Object.entries(said))
    if (value === undefined || value === '')
      throw new A2aConfigInvalidError(
        'remoteAgent',
        `it has no ${option}`,
        'Pass one: the card is read when it is first called.',
      );
  const defined = class extends RemoteAgent {
    protected override readonly peer = remote;
  };
  Object.defineProperty(defined, 'name', { value: said.name });
  agent({ ...said })(defined);
  return defined;
}

/**
 * Reads the card of an agent, for `remoteAgent`.
 *
 * @param url of the agent, below which its card is, or of the card itself
 * @throws {A2aPeerFailedError} if there is none
 */
export async function fetchAgentCard(url: string | URL, options: PeerOptions = {}): Promise<AgentCard> {
  checkRemoteOptions('fetchAgentCard', url, options);
  const peer = new Peer(url, options);
  try {
    return await peer.readCard();
  } catch (error) {
    throw peer.failure(error);
  }
}

/** `Weather Agent` is `weather_agent`. */
function nameOf(title: string): string {
  return title
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
