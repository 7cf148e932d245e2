import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { AdornError, importSession } from '@adorn/core';

import { closeOnSignal } from '../../application/close-on-signal.js';
import { defineCommand } from '../../command/declaration.js';
import { flag, required, text } from '../../command/parameter.js';
import { json, REQUIRED_FILE, STORE_OPTIONS } from '../../command/shared-parameters.js';
import { exportedSessions } from '../../sessions/exported-sessions.js';
import { printJson, printLine } from '../../terminal/print.js';
import { ProgressBar } from '../../terminal/progress-bar.js';
import { UsageError } from '../../usage.error.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions import`: conversations from the lines of `adorn sessions export`. */
export const importCommand = defineCommand({
  name: 'import',
  summary: 'store conversations that were exported',
  arguments: {
    file: REQUIRED_FILE,
    from: required('<export>', 'the file of an export; - for the standard input', { completes: 'files' }),
  },
  options: {
    ...STORE_OPTIONS,
    user: text('<id>', 'store them as those of this user (default: as they were exported)'),
    session: text('<id>', 'the id of the conversation, if there is one (default: as it was exported)'),
    trusted: flag('believe who asked and who approved: for an export of your own (default: calls ask again)'),
    skipExisting: flag('pass over conversations that are stored already (default: they are an error)'),
    json: json('print how many were stored and passed over as JSON'),
  },
  notes: `
Each conversation is stored whole or not at all. After an interruption, or an error in the middle, the same command with --skip-existing
goes on.`,
  exitCodes: { 1: 'a conversation could not be stored; those before it are' },
  examples: [
    'adorn sessions import . s1.jsonl --store chats.db --user ada',
    'adorn sessions export . --store chats.db | adorn sessions import . - --store "$DATABASE_URL" --trusted',
  ],
  async run({ file, from, user, session, trusted, skipExisting, json: isJson, ...options }, context) {
    const { bin, output, errors } = context;
    await using runner = await loadRunner(file, bin, { ...options, createsStore: true });
    using _closing = closeOnSignal(runner);
    const bar = new ProgressBar(errors);
    const key = {
      appName: runner.appName,
      ...(user !== undefined && { userId: user }),
      ...(session !== undefined && { sessionId: session }),
    };
    let stored = 0;
    let skipped = 0;
    for await (const lines of exportedSessions(linesOf(from))) {
      if (session !== undefined && stored + skipped > 0)
        throw new UsageError('--session names one conversation, and the export has more. Leave it out.');
      try {
        await importSession(runner.sessions, lines, key, { isTrusted: trusted });
        stored++;
      } catch (error) {
        if (!(skipExisting && AdornError.is(error) && error.code === 'SESSION_EXISTS')) throw error;
        skipped++;
      }
      bar.step();
    }
    bar.clear();
    if (isJson) printJson(output, { stored, skipped });
    else
      printLine(output, `${String(stored)} stored${skipped > 0 ? `, ${String(skipped)} passed over` : ''}`);
  },
});

/** @throws {UsageError} if the file cannot be read */
async function* linesOf(from: string): AsyncGenerator<string> {
  const input = from === '-' ? process.stdin : createReadStream(from);
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } catch (error) {
    throw new UsageError(`${from} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
