import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Check, Section } from '../check.js';
import { timed } from '../check.js';
import type { Suite } from '../suite.js';
import { ADORN_PROGRAM, PEER_KITS, programOf } from './kits.js';
import { MESSAGES } from './long-conversation.js';
import { differenceFrom, markdownOf, type TableRow } from './readme-table.js';
import { type ChargeTrial, countCharges, holdLong, type LongTrial } from './trials.js';
import { type Weight, weightOfFolder, weightOfOwn } from './weight.js';

const README = new URL('../../../../README.md', import.meta.url);
const CONVERSATIONS = 10;
/** What a program like those of the kits installs. */
const OWN_PACKAGES = ['adorn', '@adorn/storage', '@adorn/ai-sdk', '@ai-sdk/openai-compatible'];
/** Packages that a kit needs are released between two runs. */
const WEIGHT_TOLERANCE = 0.1;

const CHARGE_TRIALS: readonly { readonly trial: ChargeTrial; readonly what: string }[] = [
  { trial: 'die', what: 'process killed during a charge, started again: charges' },
  { trial: 'at once', what: 'one charge approved twice at once: charges' },
  { trial: 'again', what: 'an approval sent again later: charges' },
  { trial: 'two turns', what: 'the same charge asked for in two turns: charges' },
];

/** Adorn and other kits for TypeScript, put to the same trials, and what the README says of them. */
export const peersConformance: Suite = {
  name: 'peers',
  summary: 'the table of the README: charges, approvals and long conversations in four other kits',
  takes: 'a minute and a half, and a minute for the first install',
  async *run(): AsyncGenerator<Section> {
    const programs = [ADORN_PROGRAM];
    for (const kit of PEER_KITS) programs.push(await programOf(kit));
    const readme = readFileSync(README, 'utf8');
    yield await section('charges', readme, () => chargeRows(programs));
    yield await section('long conversations', readme, () => longRows(programs));
    yield await section('on the disk', readme, () => Promise.resolve([weightRow(programs)]));
  },
};

/** Makes rows, and compares them with those of the README. */
async function section(name: string, readme: string, make: () => Promise<TableRow[]>): Promise<Section> {
  const table: string[] = [];
  const done = await timed(name, async () => {
    const rows = await make();
    table.push(...rows.map(markdownOf));
    const checks: Check[] = rows.map((row) => ({ what: row.what, fault: differenceFrom(readme, row) }));
    return [{ name: 'rows', checks }];
  });
  return { ...done, table };
}

async function chargeRows(programs: readonly string[]): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for (const { trial, what } of CHARGE_TRIALS) {
    const cells: string[] = [];
    for (const program of programs) cells.push(String(await countCharges(program, trial)));
    rows.push({ what, cells });
  }
  return rows;
}

async function longRows(programs: readonly string[]): Promise<TableRow[]> {
  const trials: LongTrial[] = [];
  for (const program of programs) trials.push(await holdLong(program, CONVERSATIONS));
  const messages = String(CONVERSATIONS * MESSAGES);
  return [
    {
      what: `${messages} messages whose tool results outgrow the model: answered`,
      cells: trials.map(({ answered }) => String(answered)),
    },
  ];
}

function weightRow([, ...peers]: readonly string[]): TableRow {
  const weights = [weightOfOwn(OWN_PACKAGES), ...peers.map((program) => weightOfFolder(dirname(program)))];
  return { what: 'installed: packages, MB', cells: weights.map(weightCell), tolerance: WEIGHT_TOLERANCE };
}

function weightCell({ packages, megabytes }: Weight): string {
  return `${String(packages)}, ${megabytes.toFixed(0)}`;
}
