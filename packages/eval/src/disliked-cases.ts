import type { Session } from '@adorn/core';
import { type Feedback, feedbackOf, optionFault, type OptionRules } from '@adorn/core/backend';

import { EvalConfigInvalidError } from './errors.js';
import type { EvalCase, EvalInvocation, JudgedInvocation, Rubric } from './eval-set.js';
import { judgedInvocationsOf } from './invocations-of.js';
import { THRESHOLD } from './metrics/metric-options.js';

/** Which answers count as disliked. */
export interface DislikedOptions {
  /** Those to which somebody gave a lower score than this one. Default: 0.5. */
  readonly below?: number | undefined;
}

const RULES: OptionRules<DislikedOptions> = { below: THRESHOLD };

/**
 * A case for each answer of a conversation that somebody disliked: the conversation up to it, as it was then, whatever was undone
 * since. Of the disliked answer the case expects what people said of it, as rubrics; without a word of them it expects nothing, and
 * does not pass until you write down what would have been right. Of the turns before, it expects those that people liked.
 *
 * ```ts
 * const set = { evalSetId: 'disliked', evalCases: dislikedCases(session) };
 * await writeFile('evals/disliked.evalset.json', formatEvalSet(set));
 * ```
 *
 * @throws {EvalConfigInvalidError} (`EVAL_CONFIG_INVALID`) if an option cannot be used
 */
export function dislikedCases(session: Session, options: DislikedOptions = {}): EvalCase[] {
  const found = optionFault(options, RULES);
  if (found) throw new EvalConfigInvalidError('dislikedCases', found.fault, found.cure);
  const { below = 0.5 } = options;
  const feedback = feedbackOf(session);
  const disliked = new Set(feedback.filter(({ score }) => score < below).map(({ eventId }) => eventId));
  return [...disliked].flatMap((eventId) => {
    const end = session.events.findIndex(({ id }) => id === eventId) + 1;
    const turns = judgedInvocationsOf(session.events.slice(0, end), feedback);
    if (turns.length === 0) return [];
    const conversation = turns.map((turn) => expectationOf(turn, below));
    const { appName } = session;
    return [{ evalId: `${session.id} ${eventId}`, conversation, sessionInput: { appName, state: {} } }];
  });
}

/** What people liked is expected as it was; of what they disliked, what they said of it; of anything else, nothing. */
function expectationOf({ feedback = [], ...turn }: JudgedInvocation, below: number): EvalInvocation {
  const bad = feedback.filter(({ score }) => score < below);
  if (feedback.length > 0 && bad.length === 0) return turn;
  const { finalResponse: _answer, intermediateData: _calls, ...message } = turn;
  const rubrics = bad.flatMap(complaintOf).map(rubricOf);
  return rubrics.length > 0 ? { ...message, rubrics } : message;
}

function complaintOf({ label, comment }: Feedback): string[] {
  const said = [label, comment].filter((text) => text !== undefined && text.trim() !== '');
  return said.length > 0 ? [said.join(': ')] : [];
}

function rubricOf(complaint: string, index: number): Rubric {
  const textProperty = `The complaint ${JSON.stringify(complaint)}, which a user made of an earlier answer, is not true of this one.`;
  return { rubricId: `feedback-${String(index + 1)}`, rubricContent: { textProperty } };
}
