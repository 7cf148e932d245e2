import { exportSession } from '@adorn/core';
import type { SessionKey } from '@adorn/core';
import type { Runner } from 'adorn';

import { closeOnSignal } from '../../application/close-on-signal.js';
import { defineCommand } from '../../command/declaration.js';
import { text } from '../../command/parameter.js';
import { FILE, json, STORE_OPTIONS } from '../../command/shared-parameters.js';
import { writeWhole } from '../../files/write-whole.js';
import { sessionKeyOf, sessionKeysOf, storedSession } from '../../sessions/stored-session.js';
import { counted } from '../../terminal/counted.js';
import { printJson, printLine } from '../../terminal/print.js';
import { ProgressBar } from '../../terminal/progress-bar.js';
import { UsageError } from '../../usage.error.js';
import { loadRunner } from '../load-runner.js';

/** `adorn sessions export`: conversations as lines of JSON, for another store or another machine. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write conversations as lines of JSON, for another store or another machine',
  arguments: { file: FILE },
  options: {
    ...STORE_OPTIONS,
    user: text('<id>', 'only the conversations of this user (default: all; with --session: user)'),
    session: text('<id>', 'only this conversation'),
    out: text('<file>', 'write to this file (default: standard output)', { completes: 'files' }),
    json: json('with --out: print how many conversations were written as JSON'),
  },
  notes: `
Written are the events, the title and the state of a conversation. State of the user and of the application, files and memories are not.
The file of --out is written whole or not at all.`,
  examples: [
    'adorn sessions export . --store chats.db --session s1 --out s1.jsonl',
    'adorn sessions export . --store chats.db | adorn sessions import . - --store "$DATABASE_URL" --trusted',
  ],
  async run({ file, user, session, out, json: isJson, ...options }, { bin, output, errors }) {
    if (isJson && out === undefined)
      throw new UsageError('Lines of JSON are written in any case. Pass --json with --out, or leave it out.');
    await using runner = await loadRunner(file, bin, options);
    using _closing = closeOnSignal(runner);
    const keys = await keysOf(runner, user, session);
    const lines = linesOf(runner, keys, new ProgressBar(errors, keys.length));
    if (out === undefined) {
      for await (const line of lines) output.write(line);
      return;
    }
    await writeWhole(out, lines);
    if (isJson) printJson(output, { sessions: keys.length, file: out });
    else printLine(output, `${counted(keys.length, 'conversation')} in ${out}`);
  },
});

async function keysOf(
  runner: Runner<unknown>,
  user: string | undefined,
  session: string | undefined,
): Promise<SessionKey[]> {
  if (session !== undefined) {
    const { userId, id } = await storedSession(runner, user ?? 'user', session);
    return [sessionKeyOf(runner, userId, id)];
  }
  return sessionKeysOf(runner, user);
}

async function* linesOf(
  { sessions }: Runner<unknown>,
  keys: readonly SessionKey[],
  bar: ProgressBar,
): AsyncGenerator<string> {
  for (const key of keys) {
    for await (const line of exportSession(sessions, key)) yield `${line}\n`;
    bar.step();
  }
}
