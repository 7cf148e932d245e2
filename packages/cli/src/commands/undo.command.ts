import { closeOnSignal } from '../application/close-on-signal.js';
import { defineCommand } from '../command/declaration.js';
import { required, text, texts } from '../command/parameter.js';
import { json, REQUIRED_FILE, STORE_OPTIONS, USER } from '../command/shared-parameters.js';
import { FAILED } from '../command/exit-codes.js';
import { printJson, printLine } from '../terminal/print.js';
import { loadRunner } from './load-runner.js';

/** `adorn undo`: undoes what the tools of a run have done. */
export const undoCommand = defineCommand({
  name: 'undo',
  summary: 'undo what the tools of a run have done, the last call first',
  arguments: { file: REQUIRED_FILE, invocation: required('<invocation>', 'the id of the run') },
  options: {
    session: required('<id>', 'the conversation of the run'),
    user: USER,
    by: text('<id>', 'who undoes (default: the user)'),
    call: texts('<id...>', 'undo only these calls'),
    ...STORE_OPTIONS,
    json: json('print the report as JSON'),
  },
  notes: `
\`adorn sessions show\` prints the ids of runs. To let agents forget what was said, without undoing what was done, rewind the
conversation: \`adorn sessions rewind\`.`,
  exitCodes: { 1: 'a call is not undone, or waits for a person' },
  examples: ['adorn undo . e-8f21 --session s1 --store chats.db'],
  async run({ file, invocation, ...options }, { bin, output }) {
    const { user: userId, session: sessionId, by, call, json: isJson } = options;
    await using runner = await loadRunner(file, bin, options);
    using _closing = closeOnSignal(runner);
    const calls = call.length === 0 ? undefined : call;
    const undone = await runner.undo({ userId, sessionId, invocationId: invocation, by, calls });
    const { undo: report, pending } = undone;
    if (report?.isComplete !== true) process.exitCode = FAILED;
    if (isJson) {
      printJson(output, report);
      return;
    }
    for (const { id, tool, outcome, reason } of report?.calls ?? [])
      printLine(output, [tool, id, outcome, ...(reason === undefined ? [] : [reason])].join('  '));
    for (const { id, tool, hint = '' } of pending) printLine(output, `waits: ${tool}  ${id}  ${hint}`);
  },
});
