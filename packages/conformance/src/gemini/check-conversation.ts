import type { Check } from '../check.js';
import { messageOf } from '../message-of.js';
import { answersIn, type Heard } from './ask-recorded.js';
import { faultOfContents } from './compare-contents.js';
import { faultOfEvent } from './compare-event.js';
import { type Conversation, isStreamed } from './conversation.js';
import { expectEvent } from './expected-event.js';
import { replayConversation } from './replay-conversation.js';

/** What was looked at in one conversation. */
export interface ConversationChecks {
  /** Every answer on the way is as recorded, and the last one is the end. */
  readonly end: Check;
  readonly firstRequest: Check;
  readonly followUps: readonly Check[];
}

/** Holds a conversation again and compares what was answered and what was asked. */
export async function checkConversation(conversation: Conversation): Promise<ConversationChecks> {
  const { heard, error } = await replay(conversation);
  const requests = conversation.bodies.map(({ contents }, index) => ({
    what: `${conversation.name}, request ${String(index + 1)}`,
    fault:
      error ?? faultOfContents(contents, heard?.requests[index]?.body['contents'], isStreamed(conversation)),
  }));
  const [firstRequest = { what: conversation.name, fault: 'it has no request' }, ...followUps] = requests;
  return {
    end: { what: conversation.name, fault: error ?? faultOfAnswers(conversation, heard) },
    firstRequest,
    followUps,
  };
}

async function replay(conversation: Conversation): Promise<{ heard?: Heard; error?: string }> {
  try {
    return { heard: await replayConversation(conversation) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function faultOfAnswers({ exchanges }: Conversation, heard: Heard | undefined): string | undefined {
  const answers = answersIn(heard?.events ?? []);
  const faults = exchanges.map(({ response }, index) => faultOfEvent(expectEvent(response), answers[index]));
  const surplus = answers.length > faults.length ? `there were ${String(answers.length)} answers` : undefined;
  return faults.find((fault) => fault !== undefined) ?? surplus;
}
