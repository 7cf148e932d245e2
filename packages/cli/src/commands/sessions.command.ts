import { readFile } from 'node:fs/promises';

import {
  checkPrices,
  type ListedSession,
  modelNamesIn,
  type ModelPrices,
  PUBLISHED_PRICES,
} from '@adorn/core/backend';
import type { Runner } from 'adorn';
import { Command } from 'commander';

import { loadFleet, type FleetCommandOptions, withFleetOptions } from '../fleet/load-fleet.js';
import { costOfSession, type SessionCost } from '../sessions/session-cost.js';
import type { Output } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage.error.js';
import { loadRunner, type LoadOptions } from './load-runner.js';

interface ListOptions extends LoadOptions {
  readonly user?: string;
  readonly limit: string;
  readonly prices?: string;
  readonly json?: boolean;
}

interface ParkedOptions extends FleetCommandOptions {
  readonly release?: string;
  readonly drop?: string;
}

/**
 * `adorn sessions`: lists sessions with what their models cost. `adorn sessions parked`: lists the invocations that workers have
 * given up, and releases or drops one.
 *
 * @param bin the URL of the command
 */
export function sessionsCommand(bin: string, output: Output = process.stdout): Command {
  const list = new Command('list')
    .description('list sessions, the latest first, with their tokens and what they cost')
    .argument(
      '[file]',
      'a .js or .ts file that exports an agent or a runner, or a folder that holds one',
      '.',
    )
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://…')
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--user <id>', 'only the sessions of this user')
    .option('--limit <count>', 'how many sessions to list', '50')
    .option(
      '--prices <file>',
      'JSON of US dollars for a million tokens, beside the list prices: { "gpt-5": { "input": 1.25, "cachedInput": 0.125, "output": 10 } }',
    )
    .option('--json', 'print each session as a line of JSON')
    .action((file: string, options: ListOptions) => listSessions({ file, bin, output }, options));
  const parked = withFleetOptions(new Command('parked').description('list what workers have given up'))
    .option('--release <invocation>', 'let workers attempt it again')
    .option('--drop <invocation>', 'remove it, and let those behind it run')
    .action((file: string, options: ParkedOptions) => showParked(file, bin, options));
  return new Command('sessions')
    .description('list sessions and what they cost, or what the workers of a fleet have given up')
    .addCommand(list, { isDefault: true })
    .addCommand(parked);
}

interface Place {
  readonly file: string;
  readonly bin: string;
  readonly output: Output;
}

/** A session with its costs, as `--json` prints it. */
interface CostedSession extends ListedSession, SessionCost {}

async function listSessions({ file, bin, output }: Place, options: ListOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`--limit is "${options.limit}". Pass a whole number of at least 1.`);
  const prices = { ...PUBLISHED_PRICES, ...(await statedPrices(options.prices)) };
  await using runner = await loadRunner(file, bin, options);
  const pricing = { prices, models: modelNamesIn(runner.root) };
  const sums: SessionCost[] = [];
  for (const key of await latestSessions(runner, options.user, limit)) {
    const session = await runner.sessions.getSession(key);
    if (!session) continue;
    const cost = costOfSession(session.events, pricing);
    sums.push(cost);
    output.write(
      `${options.json === true ? JSON.stringify({ ...key, ...cost }) : lineOf({ ...key, ...cost })}\n`,
    );
  }
  if (options.json !== true) output.write(`${totalOf(sums)}\n`);
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
  return printable([`${userId}/${sessionId}`, time, tokensOf(cost), priceTag(cost)].join('  '));
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

async function showParked(file: string, bin: string, options: ParkedOptions): Promise<void> {
  const fleet = await loadFleet(file, bin, options);
  try {
    const entries = await fleet.parked();
    const id = options.release ?? options.drop;
    if (id === undefined) {
      for (const { userId, sessionId, invocationId, attempts, error = '' } of entries)
        console.log(
          printable([userId, sessionId, invocationId, `${String(attempts)} attempts`, error].join('  ')),
        );
      console.log(`${String(entries.length)} parked`);
      return;
    }
    const entry = entries.find(({ invocationId }) => invocationId === id);
    if (!entry)
      throw new UsageError(`No parked invocation has the id ${id}; without a flag, all are listed.`);
    await (options.release === undefined ? fleet.drop(entry) : fleet.release(entry));
    console.log(`${id} ${options.release === undefined ? 'dropped' : 'released'}`);
  } finally {
    await fleet.close();
    await fleet.runner.close();
  }
}
