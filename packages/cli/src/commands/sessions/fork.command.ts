import { defineCommand } from '../../command/declaration.js';
import { text } from '../../command/parameter.js';
import { FILE, json } from '../../command/shared-parameters.js';
import { SESSION_OPTIONS, storedSession } from '../../sessions/stored-session.js';
import { printJson, printLine } from '../../terminal/print.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions fork`: copies a conversation up to an event into a new one. */
export const forkCommand = defineCommand({
  name: 'fork',
  summary: 'copy a conversation, or its beginning, into a new one',
  arguments: { file: FILE },
  options: {
    ...SESSION_OPTIONS,
    at: text('<id>', 'the last run or event to copy (default: the whole conversation)'),
    toSession: text('<id>', 'the id of the copy (default: a new one)'),
    toUser: text('<id>', 'the user of the copy (default: the same)'),
    json: json('print the address of the copy as JSON'),
  },
  notes: `
The copy has the state and the files of the conversation as they were then. A call that waits for a person waits in the original only. It is
there as a whole, or not at all.`,
  exitCodes: { 1: 'there is no such run or event, or a conversation at the address of the copy' },
  examples: [
    'adorn sessions fork . --store chats.db --session s1 --at e-8f21',
    'adorn sessions fork . --store chats.db --session s1 --to-session s1-again --to-user mia',
  ],
  async run({ file, session: sessionId, user: userId, at, json: isJson, ...options }, { bin, output }) {
    const { toSession, toUser = userId, ...store } = options;
    await using runner = await loadRunner(file, bin, store);
    await storedSession(runner, userId, sessionId);
    const to = { userId: toUser, ...(toSession !== undefined && { sessionId: toSession }) };
    const copy = await runner.fork({ userId, sessionId, at, to });
    if (isJson) printJson(output, copy);
    else printLine(output, `copied to ${copy.userId}/${copy.sessionId}`);
  },
});
