import type { Content, Event, Runner, RunResult } from '@adorn/core';
import {
  agentsIn,
  type PrincipalInput,
  RequestNotPendingError,
  type RunInput,
  type StandIns,
} from '@adorn/core/backend';

import type { Conversation } from './conversation.js';
import { HeldConversation } from './held-conversation.js';

/** How a conversation is held again. */
export interface Holding {
  /** What models say. */
  readonly askModel: NonNullable<StandIns['askModel']>;
  /** True if tools run. Default: false, they return what they did. */
  readonly runsTools?: boolean;
  /** Called after each message. False ends the conversation. Default: it goes on to its end. */
  readonly onMessage?: (result: RunResult<unknown>) => boolean;
}

/** A conversation that was held again. */
export interface HeldAgain {
  readonly events: readonly Event[];
  /** How many of the messages were sent: fewer than there are, if one answers what was not asked this time. */
  readonly messages: number;
}

/** Sends what the user has said and answered to the agents of a runner, in stores of their own. */
export async function holdAgain(
  runner: Runner<unknown>,
  conversation: Conversation,
  { askModel, runsTools = false, onMessage = () => true }: Holding,
): Promise<HeldAgain> {
  const { userId, sessionId } = conversation;
  const held = new HeldConversation(
    conversation,
    [...agentsIn(runner.root)].map(({ name }) => name),
  );
  const runTool: StandIns['runTool'] = async (call, run, state) => held.resultOf(call, run, state);
  await using replayer = runner.isolated({ standIns: { askModel, ...(!runsTools && { runTool }) } });
  const key = { appName: runner.appName, userId, sessionId };
  await replayer.sessions.createSession(key, conversation.state);
  let messages = 0;
  for (const { content, state: stateDelta } of conversation.messages) {
    const open = await replayer.pending({ userId, sessionId }).catch(() => []);
    const message: Content = held.addressed(content, open);
    try {
      const input = { userId, sessionId, message, ...answererOf(content), ...(stateDelta && { stateDelta }) };
      const result = await replayer.run(input);
      const ended = conversation.asked ? result : await decided(replayer, result, held);
      messages++;
      if (!onMessage(ended)) break;
    } catch (error) {
      // An answer to what was not asked this time: the courses have parted.
      if (!(error instanceof RequestNotPendingError)) throw error;
      break;
    }
  }
  const again = await replayer.sessions.getSession(key);
  return { events: again?.events ?? [], messages };
}

/** Who has given an answer, as it is stored with it; nobody for a message. */
function answererOf({ parts = [] }: Content): Pick<RunInput, 'by' | 'channel'> {
  const answer = parts.find(({ functionResponse }) => functionResponse)?.functionResponse?.response ?? {};
  const { by, principal = by, channel } = answer;
  return {
    ...(principal !== undefined && { by: principal as PrincipalInput }),
    ...(typeof channel === 'string' && { channel }),
  };
}

/** Approves and rejects what a run waits for, as the results of the calls say. */
async function decided(
  runner: Runner<unknown>,
  result: RunResult<unknown>,
  held: HeldConversation,
): Promise<RunResult<unknown>> {
  const request = result.pending.find(({ kind }) => kind === 'confirmation');
  if (!request) return result;
  const rejection = held.rejectionOf(request);
  const next = await (rejection ? runner.reject(request, rejection) : runner.approve(request));
  return decided(runner, next, held);
}
