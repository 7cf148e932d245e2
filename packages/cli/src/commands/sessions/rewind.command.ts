import { defineCommand } from '../../command/declaration.js';
import { required } from '../../command/parameter.js';
import { FILE, json } from '../../command/shared-parameters.js';
import { SESSION_OPTIONS, storedSession } from '../../sessions/stored-session.js';
import { printJson, printLine } from '../../terminal/print.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions rewind`: lets agents forget a run and everything after it. */
export const rewindCommand = defineCommand({
  name: 'rewind',
  summary: 'let agents forget a run and everything after it',
  arguments: { file: FILE },
  options: {
    ...SESSION_OPTIONS,
    before: required('<invocation>', 'the first run to forget, as `adorn sessions show` prints it'),
    json: json('print the event of the rewind as JSON'),
  },
  notes: `
The log keeps all events, and gets one that says what is undone; the state and the files of the conversation are restored. What tools have
done elsewhere is not: \`adorn undo\` undoes that. To undo the rewind, rewind to before its own run, which is printed.`,
  exitCodes: { 1: 'there is no such run, or one is in progress; nothing was changed' },
  examples: ['adorn sessions rewind . --store chats.db --session s1 --before e-8f21'],
  async run({ file, session: sessionId, user: userId, before, json: isJson, ...options }, { bin, output }) {
    await using runner = await loadRunner(file, bin, options);
    await storedSession(runner, userId, sessionId);
    const event = await runner.rewind({ userId, sessionId, invocationId: before });
    if (isJson) printJson(output, event);
    else printLine(output, `rewound to before ${before}; the rewind is ${event.invocationId}`);
  },
});
