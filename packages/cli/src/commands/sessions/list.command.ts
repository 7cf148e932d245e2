import { readFile } from 'node:fs/promises';

import {
  checkPrices,
  type ListedSession,
  modelNamesIn,
  type ModelPrices,
  PUBLISHED_PRICES,
} from '@adorn/core/backend';
import type { Runner } from 'adorn';

import { type CommandContext, defineCommand } from '../../command/declaration.js';
import { count, type Parameters, text, type ValuesOf } from '../../command/parameter.js';
import { FILE, json, STORE_OPTIONS } from '../../command/shared-parameters.js';
import { costOfSession, type SessionCost } from '../../sessions/session-cost.js';
import { printJsonLine, printLine } from '../../terminal/print.js';
import { ProgressBar } from '../../terminal/progress-bar.js';
import { UsageError } from '../../usage.error.js';
import { loadRunner } from '../load-runner.js';

const OPTIONS = {
  ...STORE_OPTIONS,
  user: text('<id>', 'only the sessions of this user'),
  limit: count('<count>', 'how many sessions to list', { fallback: 50 }),
  prices: text('<file>', 'a JSON file of prices, beside the list prices', { completes: 'files' }),
  json: json('print each session as a line of JSON'),
} satisfies Parameters;

/** A session with its costs, as `--json` prints it. */
interface CostedSession extends ListedSession, SessionCost {}

/** `adorn sessions list`: lists sessions with what their models cost. */
export const listCommand = defineCommand({
  name: 'list',
  summary: 'list sessions, the latest first, with their tokens and what they cost',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
Prices are the list prices of the providers; --prices takes those that you pay, in US dollars for a million tokens:

  { "gpt-5": { "input": 1.25, "cachedInput": 0.125, "output": 10 } }`,
  examples: ['adorn sessions . --store chats.db', 'adorn sessions . --store chats.db --user ada --json'],
  run: listSessions,
});

async function listSessions(
  { file, limit, json: isJson, ...options }: ValuesOf<typeof OPTIONS> & { readonly file: string },
  { bin, output, errors }: CommandContext,
): Promise<void> {
  const prices = { ...PUBLISHED_PRICES, ...(await statedPrices(options.prices)) };
  await using runner = await loadRunner(file, bin, options);
  const pricing = { prices, models: modelNamesIn(runner.root) };
  const sums: SessionCost[] = [];
  const keys = await latestSessions(runner, options.user, limit);
  const bar = new ProgressBar(errors, keys.length);
  for (const key of keys) {
    const session = await runner.sessions.getSession(key);
    bar.step(() => {
      if (!session) return;
      const cost = costOfSession(session.events, pricing);
      sums.push(cost);
      if (isJson) printJsonLine(output, { ...key, ...cost });
      else printLine(output, lineOf({ ...key, ...cost }));
    });
  }
  if (!isJson) printLine(output, totalOf(sums));
}

/** @throws {UsageError} if the file cannot be read, or holds no JSON */
async function statedPrices(path: string | undefined): Promise<ModelPrices> {
  if (path === undefined) return {};
  let prices: unknown;
  try {
    prices = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--prices is "${path}", which is no file with JSON: ${(error as Error).message}`);
  }
  checkPrices(`the prices in ${path}`, prices);
  return prices;
}

async function latestSessions(
  { appName, sessions }: Runner<unknown>,
  userId: string | undefined,
  limit: number,
): Promise<ListedSession[]> {
  if (userId !== undefined) {
    const listed = await sessions.listSessions({ appName, userId }, { limit, state: false });
    return listed.map(({ id: sessionId, lastUpdateTime }) => ({
      appName,
      userId,
      sessionId,
      lastUpdateTime,
    }));
  }
  const all: ListedSession[] = [];
  for await (const one of sessions.allSessions(appName)) all.push(one);
  return all.sort((one, other) => other.lastUpdateTime - one.lastUpdateTime).slice(0, limit);
}

function lineOf({ userId, sessionId, lastUpdateTime, ...cost }: CostedSession): string {
  const time = new Date(lastUpdateTime * 1_000).toISOString();
  return [`${userId}/${sessionId}`, time, tokensOf(cost), priceTag(cost)].join('  ');
}

function totalOf(sums: readonly SessionCost[]): string {
  const add = (read: (one: SessionCost) => number): number => sums.reduce((sum, one) => sum + read(one), 0);
  const total = {
    input: add(({ input }) => input),
    cached: add(({ cached }) => cached),
    output: add(({ output }) => output),
    ofTools: add(({ ofTools }) => ofTools),
    usd: add(({ usd }) => usd),
    isComplete: sums.every(({ isComplete }) => isComplete),
  };
  return [`${String(sums.length)} sessions`, tokensOf(total), priceTag(total)].join('  ');
}

function tokensOf({ input, cached, output, ofTools }: Omit<SessionCost, 'usd' | 'isComplete'>): string {
  const ofCache = cached > 0 ? ` (${counted(cached)} cached)` : '';
  const asked = ofTools > 0 ? `, ${counted(ofTools)} asked by tools` : '';
  return `${counted(input)} in${ofCache}, ${counted(output)} out${asked}`;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}

function priceTag({ usd, isComplete }: Pick<SessionCost, 'usd' | 'isComplete'>): string {
  if (!isComplete && usd === 0) return 'price not known';
  return `${isComplete ? '' : 'at least '}$${usd.toFixed(4)}`;
}
