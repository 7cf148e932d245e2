import { type ApproverRule, checkedRule } from '../approvals/approver-rule.js';
import { functionResponsesOf } from '../events/content-parts.js';
import type { Event } from '../events/event.js';
import {
  type InputArgs,
  isRejection,
  type PendingRequestData,
  requestCall,
  textIn,
  type Unsigned,
} from '../events/pending-request.js';
import { requesterToStore } from '../events/requester.js';
import { logOf, type Session } from '../events/session.js';
import { effectiveEventsBackwards } from '../log/effective-events.js';
import { newCallId } from '../runtime/ids.js';
import { type JsonSchema, optionNames } from '@adorn/schema';
import { stopEvent } from './emit-events.js';
import { AgentStoppedError } from './errors.js';
import type { InvocationContext } from './invocation-context.js';
import { requireOptions } from './run-config.js';

/** A question of a composite to a person. */
export interface AgentQuestion {
  /** The text shown to the person. */
  readonly message: string;
  /** Data shown with the question, as plain JSON. */
  readonly payload?: unknown;
  /** JSON Schema of the answer. Default: anything. */
  readonly schema?: JsonSchema | undefined;
  /** Who may answer; a `count` is not counted here. Default: the requester. */
  readonly approvers?: ApproverRule;
}

const QUESTION = optionNames<AgentQuestion>({ message: true, payload: true, schema: true, approvers: true });

/** The answer to an {@link AgentQuestion}. */
export type QuestionAnswer =
  | { readonly kind: 'answered'; readonly value: unknown; readonly by: string | undefined }
  | { readonly kind: 'rejected'; readonly reason: string | undefined };

/** A question with the id of its request, as the log holds it. */
interface StoredQuestion extends AgentQuestion {
  readonly id: string;
}

/**
 * Asks, and stops the run until there is an answer.
 *
 * @param key names the question within the run
 * @throws {ApproversInvalidError | OnceInvalidError | RunConfigInvalidError}
 */
export async function* ask(
  context: InvocationContext,
  key: string,
  question: AgentQuestion,
): AsyncGenerator<Event, QuestionAnswer, undefined> {
  requireOptions('context.requestInput', question, QUESTION);
  const { approvers } = question;
  if (approvers !== undefined) checkedRule(approvers, context.agent.name);
  const kept: StoredQuestion = await context.once(key, () => ({ ...question, id: newCallId() }));
  yield questionEvent(context, kept);
  const answer = findAnswer(context.session, kept.id);
  if (!answer) {
    yield stopEvent(context);
    throw new AgentStoppedError(context.path);
  }
  context.claimAnswers();
  return answer;
}

/** A synthetic call, as for a request of a tool. No other call waits for it. */
function questionEvent(
  context: InvocationContext,
  { id, message, payload = null, schema, approvers }: StoredQuestion,
): Event {
  const { name } = context.agent;
  const args: Unsigned<InputArgs> = {
    interruptId: id,
    message,
    payload,
    response_schema: schema ? { ...schema } : null,
    originalFunctionCall: { id, name, args: {} },
    askedBy: 'agent',
    approvers: approvers && [approvers],
  };
  const requester = requesterToStore(context.requester, context.userId);
  // A workflow that runs again asks under the id of its first question.
  const functionCall = requestCall({ id, kind: 'input', args, askedAgain: undefined, requester });
  const content = { role: 'user', parts: [{ functionCall }] };
  return context.event({ author: name, content, longRunningToolIds: [id] });
}

function findAnswer(session: Session, requestId: string): QuestionAnswer | undefined {
  for (const { author, content } of effectiveEventsBackwards(logOf(session))) {
    if (author !== 'user') continue;
    const given = functionResponsesOf(content).find(({ id }) => id === requestId);
    if (given) return readAnswer(given.response ?? {});
  }
  return undefined;
}

const INPUT = { kind: 'input' } as PendingRequestData;

function readAnswer(response: Readonly<Record<string, unknown>>): QuestionAnswer {
  const { result, reason, by } = response;
  if (isRejection(INPUT, response)) return { kind: 'rejected', reason: textIn(reason) };
  return { kind: 'answered', value: result, by: textIn(by) };
}
