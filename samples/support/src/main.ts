import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { chat, latestSession } from '@adorn/cli';
import { sqlStorage } from '@adorn/storage';
import { ContainerModule, createRunner } from 'adorn';
import { chooseModel, reportFailure } from 'adorn/main';

import { Payments, StoredPayments } from './shop/payments.js';
import { openDesk, openStudio } from './studio.js';
import { Support } from './support.agent.js';

const DEMO = fileURLToPath(new URL('../demo.txt', import.meta.url));
const STORE = fileURLToPath(new URL('../support.db', import.meta.url));

/**
 * `node build/main.js`: the studio in the browser.
 * `node build/main.js --desk`: the studio for two people, a customer and a supervisor.
 * `node build/main.js --chat [--new]`: a chat in the terminal, which takes up the last one.
 * `node build/main.js --script FILE [--store URL] [--continue]`: a script that is played.
 */
async function main(): Promise<void> {
  const flags = readFlags();
  const { model, line } = chooseModel(process.env, flags.model);
  console.log(line);
  const isPlayed = flags.script !== undefined || !process.stdin.isTTY;
  // What is played is the same each time: it is kept only where it is told to.
  const store = flags.store ?? (isPlayed ? ':memory:' : STORE);
  const modules = [sqlStorage(store), payments(store)];
  await using runner = await createRunner(Support, { model, modules, config: { streaming: 'sse' } });
  if (flags.desk === true) {
    await openDesk(runner);
    return;
  }
  if (!isPlayed && flags.chat !== true) {
    await openStudio(runner);
    return;
  }
  const goesOn = flags.continue ?? !(isPlayed || flags.new === true);
  const sessionId = goesOn ? await latestSession(runner) : undefined;
  const { faults } = await chat(runner, { script: flags.script, demo: DEMO, sessionId });
  if (faults > 0) process.exitCode = 1;
}

/** Refunds are kept in a file beside the conversations, if these are in a file. */
function payments(store: string): ContainerModule {
  return new ContainerModule(({ bind }) => {
    if (store.endsWith('.db')) bind(Payments).toConstantValue(new StoredPayments(`${store}.refunds.jsonl`));
  });
}

interface Flags {
  readonly chat?: boolean;
  readonly desk?: boolean;
  readonly script?: string;
  readonly store?: string;
  readonly model?: string;
  readonly new?: boolean;
  readonly continue?: boolean;
}

function readFlags(): Flags {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
  const options = {
    chat: flag,
    desk: flag,
    script: text,
    store: text,
    model: text,
    new: flag,
    continue: flag,
  };
  return parseArgs({ options }).values;
}

main().catch(reportFailure);
