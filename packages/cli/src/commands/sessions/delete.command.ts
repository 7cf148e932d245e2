import type { Session } from '@adorn/core';

import { defineCommand } from '../../command/declaration.js';
import { flag } from '../../command/parameter.js';
import { FILE, json } from '../../command/shared-parameters.js';
import { CommandFailedError } from '../../command-failed.error.js';
import { InterruptedError } from '../../interrupted.error.js';
import { SESSION_OPTIONS, sessionKeyOf, storedSession } from '../../sessions/stored-session.js';
import { printJson, printLine } from '../../terminal/print.js';
import { UsageError } from '../../usage.error.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions delete`: deletes a conversation with its files, and the memories that were made of it. */
export const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'delete a conversation with its files, and the memories that were made of it',
  arguments: { file: FILE },
  options: {
    ...SESSION_OPTIONS,
    yes: flag('do not ask', { short: 'y' }),
    json: json('print what was deleted as JSON'),
  },
  notes: `
State, files and memories of the user stay; \`runner.forget\` erases a user. A conversation in which a run is in progress is not deleted.`,
  exitCodes: { 1: 'a run is in progress; nothing was deleted' },
  examples: ['adorn sessions delete . --store chats.db --session s1 --user ada'],
  async run({ file, session: sessionId, user: userId, yes, json: isJson, ...options }, { bin, output }) {
    await using runner = await loadRunner(file, bin, options);
    const session = await storedSession(runner, userId, sessionId);
    const open = await runner.findOpenRun({ userId, sessionId });
    if (open?.place === 'elsewhere')
      throw new CommandFailedError(
        `A run of ${userId}/${sessionId} is in progress. Wait for its end, or cancel it: runner.cancelRun.`,
      );
    if (!yes) await requireYes(session);
    await runner.sessions.deleteSession(sessionKeyOf(runner, userId, sessionId));
    const events = session.events.length;
    if (isJson) printJson(output, { userId, sessionId, events });
    else printLine(output, `deleted ${userId}/${sessionId}: ${String(events)} events`);
  },
});

/** @throws {UsageError} without a terminal, where nobody can be asked */
async function requireYes({ userId, id, events }: Session): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError(`Nobody can be asked whether to delete ${userId}/${id}. Pass --yes.`);
  const { confirm } = await import('@clack/prompts');
  const answer = await confirm({
    message: `Delete ${userId}/${id} with ${String(events.length)} events?`,
    initialValue: false,
  });
  if (answer !== true) throw new InterruptedError('Nothing was deleted.');
}
