import type { Content, PendingRequest, State } from '@adorn/core';
import { canonicalJson, type StoodInCall } from '@adorn/core/backend';

import type { AskedOfUser, Conversation, HeldCall } from './conversation.js';

/** What the tools and the user say, while a conversation is held again. */
export class HeldConversation {
  /** Those that no call has taken yet. Ids differ each time, so that a call is found by its tool and its arguments. */
  private readonly calls: HeldCall[];
  /** By the ids of the new calls, which an attempt that is repeated has again. */
  private readonly taken = new Map<string, HeldCall | undefined>();

  /** @param agents the names of the agents, which run if they are called */
  constructor(
    private readonly conversation: Conversation,
    private readonly agents: readonly string[],
  ) {
    this.calls = [...conversation.calls];
  }

  /**
   * What a tool returned, with what it wrote to the state; it runs only if it is an agent, or has handed over or ended
   * something.
   */
  async resultOf(call: StoodInCall, run: () => Promise<unknown>, state: State): Promise<unknown> {
    const { callId, tool } = call;
    if (!this.taken.has(callId)) this.taken.set(callId, this.take(call));
    const found = this.taken.get(callId);
    if (this.agents.includes(tool) || found?.steers === true) return run();
    for (const [key, value] of Object.entries(found?.state ?? {})) {
      if (value === null) state.delete(key);
      else state.set(key, value);
    }
    return found?.response ?? { error: 'The stored conversation has no result of this call.' };
  }

  /** The rejection of the call that a person is asked about, as its result tells; undefined if it was approved. */
  rejectionOf({ tool, args }: PendingRequest): { readonly reason?: string } | undefined {
    const wanted = canonicalJson(args);
    const call = this.conversation.calls.find(
      (one) => one.tool === tool && canonicalJson(one.args) === wanted,
    );
    const { error, reason } = call?.response ?? {};
    if (typeof error !== 'string' || !error.startsWith('tool call was rejected')) return undefined;
    return typeof reason === 'string' ? { reason } : {};
  }

  private take({ tool, args }: StoodInCall): HeldCall | undefined {
    const wanted = canonicalJson(args);
    const equal = this.calls.findIndex((one) => one.tool === tool && canonicalJson(one.args) === wanted);
    // A person may have changed the arguments, and a check may have completed them.
    const place = equal >= 0 ? equal : this.calls.findIndex((one) => one.tool === tool);
    return place < 0 ? undefined : this.calls.splice(place, 1)[0];
  }

  /** The message with the ids of the requests that are open now. */
  addressed(content: Content, open: readonly PendingRequest[]): Content {
    const parts = (content.parts ?? []).map((part) => {
      const { functionResponse } = part;
      const before = this.conversation.asked?.find(({ id }) => id === functionResponse?.id);
      const now = before && open.find((one) => isAlike(one, before));
      return functionResponse && now ? { functionResponse: { ...functionResponse, id: now.id } } : part;
    });
    return { ...content, parts };
  }
}

/** True for a request about an equal call. */
function isAlike(one: AskedOfUser, other: AskedOfUser): boolean {
  return (
    one.kind === other.kind &&
    one.tool === other.tool &&
    canonicalJson(one.args) === canonicalJson(other.args)
  );
}
