// `npm run bench -- --tool-search`: how often a search finds the tool that a question needs, and what the tools cost.
import { resolve } from 'node:path';

import { findFixtures } from '@adorn/conformance/fixtures-folder';
import type { ToolSource } from '@adorn/core/backend';
import { estimateTokens } from '@adorn/core/compiler';
import { searchable, ToolSearch } from '@adorn/tool-search';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { createRunner, defineAgent, type Embedder, GeminiEmbedder, StaticToolset, type Tool } from 'adorn';

import { formatTable } from '../overhead/report/format.js';
import { installedSentenceEmbedder } from './installed-sentence-embedder.js';
import { companyApis, keywordSearches, leaderboard, type ToolQuestion, type ToolSet } from './tool-sets.js';

const LIMIT = 5;
const QUIET = { logger: { debug() {}, info() {}, warn: console.warn, error: console.error } };

const root = resolve(import.meta.dirname, '../../../..');
const fixtures = findFixtures({ flag: undefined, environment: process.env['ADORN_FIXTURES'], root }, [
  'bfcl',
  'api-bank',
  'openapi',
]);
const sets = [await companyApis(fixtures), keywordSearches(fixtures), leaderboard(fixtures)];
const embedders: (Embedder | undefined)[] = [undefined];
if (process.argv.includes('--embedder')) embedders.push(await installedSentenceEmbedder());
if (process.env['GEMINI_API_KEY'] !== undefined) embedders.push(new GeminiEmbedder());

/** The questions of a set whose tool is not among the first five, with what was found. */
interface Misses {
  readonly set: ToolSet;
  readonly by: string;
  /** Milliseconds of CPU: of the first search, which makes the index, and of a further one. */
  readonly cpu: readonly [first: number, further: number];
  readonly hits: readonly [first: number, five: number, ten: number, twenty: number];
  readonly missed: readonly (ToolQuestion & { readonly found: readonly string[] })[];
}

async function missesOf(set: ToolSet, by: Embedder | undefined): Promise<Misses> {
  const search = new ToolSearch(by);
  const missed: (ToolQuestion & { found: string[] })[] = [];
  let [first, five, ten, twenty] = [0, 0, 0, 0];
  const cpu: number[] = [];
  for (const question of set.questions) {
    const before = process.cpuUsage();
    const tools = await search.find(question.query, set.tools, { limit: 20, context: QUIET });
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
    const place = tools.findIndex(({ name }) => name === question.tool);
    if (place === 0) first += 1;
    if (place >= 0 && place < 10) ten += 1;
    if (place >= 0) twenty += 1;
    if (place >= 0 && place < LIMIT) five += 1;
    else missed.push({ ...question, found: tools.slice(0, LIMIT).map(({ name }) => name) });
  }
  const [index = 0, ...further] = cpu;
  const each = further.reduce((sum, one) => sum + one, 0) / further.length;
  return { set, by: wayOf(by), cpu: [index, each], hits: [first, five, ten, twenty], missed };
}

function wayOf(by: Embedder | undefined): string {
  return by === undefined ? 'words' : `words and ${by.name}`;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

console.log('How often the tool that a question needs is among those that one search finds\n');
const rows: string[][] = [];
const all: Misses[] = [];
for (const set of sets)
  for (const by of embedders) {
    const misses = await missesOf(set, by);
    all.push(misses);
    const { length } = set.questions;
    rows.push([
      set.name,
      misses.by,
      String(set.tools.length),
      String(length),
      ...misses.hits.map((hits) => percent(hits, length)),
      ...misses.cpu.map((ms) => ms.toFixed(1)),
    ]);
  }
const found = ['first', 'of 5', 'of 10', 'named (20)'];
const cpu = ['CPU of the first search, ms', 'of a further one'];
console.log(formatTable(['', 'by', 'tools', 'questions', ...found, ...cpu], rows));
if (embedders.length === 1)
  console.log(
    '\nBy meaning too: --embedder installs a model that runs in the process; GEMINI_API_KEY asks Gemini.',
  );

console.log(
  '\nWhat a conversation sends: one question, its tool called, and before it the question as a search\n',
);
console.log(
  formatTable(
    ['', 'requests', 'declared at the end', 'tokens of declarations', 'tokens of all requests', 'share'],
    await costs(),
  ),
);

if (process.argv.includes('--misses')) {
  for (const { set, by, missed } of all) {
    console.log(`\n${set.name}, by ${by}: ${String(missed.length)} are not among the first five`);
    for (const { query, tool, found } of missed)
      console.log(
        `- ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}\n  needs ${tool}; found ${found.join(', ')}`,
      );
  }
} else console.log('\nThe questions whose tool is not found: --misses');

/** The same conversation with all tools declared, and with a search. */
async function costs(): Promise<string[][]> {
  const { tools, questions } = sets.at(-1) as ToolSet;
  const some = tools.slice(0, 300);
  const question = await foundQuestion(questions, some);
  const call = callsTool(question.tool, {});
  const search = callsTool('search_tools', { query: question.query });
  const listed = new StaticToolset(some);
  const all = await costOf(question, listed, [call, says('Done.')]);
  const searched = await costOf(question, searchable(listed), [search, call, says('Done.')]);
  return [
    ['300 tools, all declared', ...rowOf(all), '100 %'],
    ['300 tools, searched', ...rowOf(searched), percent(searched.tokens, all.tokens)],
  ];
}

/** The first question whose tool is one of these, and found by it. */
async function foundQuestion(
  questions: readonly ToolQuestion[],
  tools: readonly Tool[],
): Promise<ToolQuestion> {
  const search = new ToolSearch(undefined);
  for (const question of questions) {
    const found = await search.find(question.query, tools, { limit: LIMIT, context: QUIET });
    if (found.some(({ name }) => name === question.tool)) return question;
  }
  throw new Error('No question finds its tool.');
}

interface Cost {
  readonly requests: number;
  readonly declared: number;
  readonly declarations: number;
  readonly tokens: number;
}

async function costOf(
  { query }: ToolQuestion,
  source: ToolSource,
  steps: readonly ScriptedStep[],
): Promise<Cost> {
  const model = new ScriptedModel(...steps);
  const agent = defineAgent({ name: 'clerk', tools: [source] });
  await using runner = await createRunner(agent, { model });
  await runner.run({ userId: 'ada', message: query });
  const declared = model.requests.map(({ config }) => config.tools);
  const [last] = declared.at(-1) as [{ functionDeclarations: object[] }];
  return {
    requests: declared.length,
    declared: last.functionDeclarations.length,
    declarations: tokensOf(declared),
    tokens: tokensOf(model.requests.map(({ config, contents }) => ({ config, contents }))),
  };
}

function tokensOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + estimateTokens(JSON.stringify(value)), 0);
}

function rowOf({ requests, declared, declarations, tokens }: Cost): string[] {
  return [requests, declared, declarations, tokens].map((count) => count.toLocaleString('en'));
}
