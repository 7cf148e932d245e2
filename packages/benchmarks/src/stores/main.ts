import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '@adorn/conformance/command-line/run-command';
import { PostgresServer } from '@adorn/testing/servers';

import { formatNumber, formatRatio, formatTable } from '../overhead/report/format.js';
import { AdornStore } from './adorn-store.js';
import { barePostgres, bareSqlite } from './bare-store.js';
import { HELP } from './help.js';
import { measureStore, type StoreFigures } from './measure-store.js';
import { parseOptions, type StoresOptions } from './options.js';

/** The most that durable storage may cost beside the bare driver. */
const GOAL = 1.5;

/** Beside the insert, an append there bumps the session's row, in the same round trip: that is what is asked of it. */
function isBound(store: string, work: string): boolean {
  return store === 'SQLite' || !work.startsWith('append');
}

async function main(options: StoresOptions): Promise<void> {
  const figures = [await onSqlite(options), await onPostgres(options)];
  console.log(writeReport(figures));
}

async function onSqlite(options: StoresOptions): Promise<StoreFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-bench-'));
  const bare = await bareSqlite(join(folder, 'bare.db'));
  const adorn = new AdornStore(join(folder, 'adorn.db'));
  try {
    return await measureStore('SQLite', bare, adorn, options);
  } finally {
    await bare.close();
    await adorn.close();
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(options: StoresOptions): Promise<StoreFigures> {
  const server = await PostgresServer.start();
  const bare = await barePostgres(server.url());
  const adorn = new AdornStore(server.url());
  try {
    return await measureStore('PostgreSQL', bare, adorn, options);
  } finally {
    await bare.close();
    await adorn.close();
    await server.stop();
  }
}

function writeReport(figures: readonly StoreFigures[]): string {
  const lines = figures.flatMap(({ name, lines }) =>
    lines.map((line) => ({ name, ...line, ratio: ratioOf(line.bareMs, line.adornMs) })),
  );
  const rows = lines.map(({ name, what, bareMs, adornMs, ratio }) => [
    name,
    what,
    milliseconds(bareMs),
    perSecond(bareMs),
    milliseconds(adornMs),
    perSecond(adornMs),
    formatRatio(ratio),
  ]);
  const head = ['store', 'work', 'bare ms', 'per s', 'adorn ms', 'per s', 'ratio'];
  const over = lines
    .filter(({ name, what, ratio = 0 }) => isBound(name, what) && ratio > GOAL)
    .map(({ name, what, ratio = 0 }) => `${name}, ${what}: ${ratio.toFixed(3)}`);
  const verdict = over.length === 0 ? 'within it everywhere' : `above it: ${over.join('; ')}`;
  const goal = `Goal: ${String(GOAL)} times bare at the most, and one round trip for an append on PostgreSQL`;
  return `${formatTable(head, rows)}\n\n${goal}: ${verdict}.`;
}

function ratioOf(bareMs: number | undefined, adornMs: number | undefined): number | undefined {
  return bareMs === undefined || adornMs === undefined ? undefined : adornMs / bareMs;
}

function perSecond(ms: number | undefined): string {
  return formatNumber(ms === undefined ? undefined : 1000 / ms);
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? formatNumber(ms) : ms.toFixed(ms < 10 ? 3 : 1);
}

await runCommand({
  parse: parseOptions,
  run: main,
  help: HELP,
  hint: '"npm run bench -- --help" lists every flag.',
  usageCode: 1,
});
