import type { FunctionCall } from '../events/genai-types.js';
import type { AgentContext } from '../run/agent-context.js';
import type { CallbackContext } from '../run/callback-context.js';
import type { LiveSignals } from '../run/live/live-signals.js';
import type { Awaitable } from '../runtime/awaitable.js';

/** The callbacks of an agent that only a live session has. */
export interface LiveCallbacks {
  /**
   * Answers calls by hand, before any gate. Calls that are not in the result go to their tools. If it throws, all of them
   * fail.
   *
   * @returns responses by the ids of the calls
   */
  onToolCall?(
    calls: readonly FunctionCall[],
    context: CallbackContext,
  ): Awaitable<Readonly<Record<string, Record<string, unknown>>> | undefined>;
  /**
   * Changes what models read of a response, now and later: late results, supplied ones and refusals too. The log keeps the
   * original beside it. If it throws, the model reads that it failed, and nothing of the response.
   */
  beforeToolResponse?(
    response: Readonly<Record<string, unknown>>,
    call: Pick<FunctionCall, 'id' | 'name' | 'args'>,
    context: CallbackContext,
  ): Awaitable<Record<string, unknown> | undefined>;
  /** Called when the session begins with this agent, or is handed over to it. */
  onLiveStart?(live: LiveDirection, context: AgentContext): Awaitable<void>;
  /**
   * Called after each turn of the model, before anything else is taken, and after words of the user which the model does not
   * answer (`staysSilent` of its capabilities). What it writes is stored.
   */
  onLiveTurn?(live: LiveDirection, context: AgentContext): Awaitable<void>;
  /** Called after the time that the agent has asked for by `live.after`, between two items of the session. What it writes is stored. */
  onLiveTimer?(live: LiveDirection, context: AgentContext): Awaitable<void>;
}

/** How an agent directs its live session. */
export interface LiveDirection {
  /** What goes on in the session: read again at each use. */
  readonly signals: LiveSignals;
  /** The model reads the text with whatever follows. */
  readonly steer: (text: string) => void;
  /** The model answers the text, which is no message of the user. */
  readonly prompt: (text: string) => void;
  /** Sends the instruction and the tools of the agent again, because they have changed. */
  readonly renew: () => void;
  /** Calls `onLiveTimer` after so many milliseconds. A time that was asked for before is replaced. */
  readonly after: (milliseconds: number) => void;
}
