import { feedbackOf } from '@adorn/core/backend';
import type { EvalCase } from '@adorn/eval';

import { closeOnSignal } from '../../application/close-on-signal.js';
import { defineCommand } from '../../command/declaration.js';
import { share, text } from '../../command/parameter.js';
import { FILE, json, STORE_OPTIONS } from '../../command/shared-parameters.js';
import { writeWhole } from '../../files/write-whole.js';
import { feedbackText } from '../../sessions/feedback-text.js';
import { sessionKeysOf } from '../../sessions/stored-session.js';
import { counted } from '../../terminal/counted.js';
import { printJsonLine, printLine } from '../../terminal/print.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions feedback`: what people thought of the answers, and an eval set of those that they disliked. */
export const feedbackCommand = defineCommand({
  name: 'feedback',
  summary: 'list what people thought of answers, and make an eval set of those that they disliked',
  arguments: { file: FILE },
  options: {
    ...STORE_OPTIONS,
    user: text('<id>', 'only the conversations of this user (default: all)'),
    below: share('<score>', 'answers with a lower score are disliked, 0 to 1', { fallback: 0.5 }),
    evalSet: text('<file>', 'write a case for each disliked answer, such as disliked.evalset.json', {
      completes: 'files',
    }),
    json: json('print each feedback as a line of JSON'),
  },
  notes: `
Of each person and answer the last word counts. A case is the conversation up to the answer, as it was then. It expects the answers before
that somebody liked, and as rubrics what was said of the disliked one: a model judges those. Without a word it expects nothing: write down what would
have been right. Cases hold what users said.`,
  examples: [
    'adorn sessions feedback . --store chats.db',
    'adorn sessions feedback . --store chats.db --eval-set evals/disliked.evalset.json',
  ],
  async run({ file, user, below, evalSet, json: isJson, ...options }, { bin, output, errors }) {
    await using runner = await loadRunner(file, bin, options);
    using _closing = closeOnSignal(runner);
    const { dislikedCases, formatEvalSet } = await import('@adorn/eval');
    const evalCases: EvalCase[] = [];
    for (const key of await sessionKeysOf(runner, user)) {
      const session = await runner.sessions.getSession(key);
      if (!session) continue;
      for (const feedback of feedbackOf(session)) {
        if (isJson) printJsonLine(output, { ...key, ...feedback });
        else
          printLine(
            output,
            `${key.userId}/${key.sessionId}  ${feedback.invocationId}  ${feedbackText(feedback)}`,
          );
      }
      if (evalSet !== undefined) evalCases.push(...dislikedCases(session, { below }));
    }
    if (evalSet === undefined) return;
    await writeWhole(evalSet, [formatEvalSet({ evalSetId: 'disliked', evalCases })]);
    if (!isJson) errors.write(`${counted(evalCases.length, 'case')} in ${evalSet}\n`);
  },
});
