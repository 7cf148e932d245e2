// `npm run bench -- --tool-search`: how often a search finds the tool that a question needs, and what the tools cost.
import { resolve } from 'node:path';

import { findFixtures } from '@adorn/conformance/fixtures-folder';
import type { ToolSource } from '@adorn/core/backend';
import { estimateTokens } from '@adorn/core/compiler';
import { searchable, ToolSearch } from '@adorn/tool-search';
import { callsTool, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';
import { createRunner, defineAgent, type Embedder, GeminiEmbedder, StaticToolset, type Tool } from 'adorn';

import { formatTable } from '../overhead/report/format.js';
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
const embedder = process.env['GEMINI_API_KEY'] === undefined ? undefined : new GeminiEmbedder();

/** The questions of a set whose tool is not among the first five, with what was found. */
interface Misses {
  readonly set: ToolSet;
  readonly hits: readonly [first: number, five: number, ten: number];
  readonly missed: readonly (ToolQuestion & { readonly found: readonly string[] })[];
}

async function missesOf(set: ToolSet, by: Embedder | undefined): Promise<Misses> {
  const search = new ToolSearch(by);
  const missed: (ToolQuestion & { found: string[] })[] = [];
  let [first, five, ten] = [0, 0, 0];
  for (const question of set.questions) {
    const tools = await search.find(question.query, set.tools, { limit: 10, context: QUIET });
    const place = tools.findIndex(({ name }) => name === question.tool);
    if (place === 0) first += 1;
    if (place >= 0) ten += 1;
    if (place >= 0 && place < LIMIT) five += 1;
    else missed.push({ ...question, found: tools.slice(0, LIMIT).map(({ name }) => name) });
  }
  return { set, hits: [first, five, ten], missed };
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

console.log('How often the tool that a question needs is among those that one search finds\n');
const rows: string[][] = [];
const all: Misses[] = [];
for (const set of sets)
  for (const by of embedder === undefined ? [undefined] : [undefined, embedder]) {
    const misses = await missesOf(set, by);
    if (by === undefined) all.push(misses);
    const { length } = set.questions;
    rows.push([
      set.name,
      by === undefined ? 'words' : 'words and meaning',
      String(set.tools.length),
      String(length),
      ...misses.hits.map((hits) => percent(hits, length)),
    ]);
  }
console.log(formatTable(['', 'by', 'tools', 'questions', 'first', 'of 5', 'of 10'], rows));
if (embedder === undefined) console.log('\nWords and meaning: left out, GEMINI_API_KEY is not set.');

console.log('\nWhat the declarations of a conversation cost: one question is asked, and its tool called\n');
console.log(
  formatTable(['', 'requests', 'declared at the end', 'tokens of the first', 'tokens of all'], await costs()),
);

if (process.argv.includes('--misses')) {
  for (const { set, missed } of all) {
    console.log(`\n${set.name}: ${String(missed.length)} are not among the first five`);
    for (const { query, tool, found } of missed)
      console.log(
        `- ${query.replaceAll(/\s+/g, ' ').slice(0, 160)}\n  needs ${tool}; found ${found.join(', ')}`,
      );
  }
} else console.log('\nThe questions whose tool is not found: --misses');

/** The same conversation with all tools declared, and with a search. */
async function costs(): Promise<string[][]> {
  const tools = (sets.at(-1) as ToolSet).tools.slice(0, 300);
  const called = tools[137] as Tool;
  const listed = new StaticToolset(tools);
  const call = callsTool(called.name, {});
  const search = callsTool('search_tools', { query: called.name });
  return [
    ['300 tools, all declared', ...(await costOf(listed, [call, says('Done.')]))],
    ['300 tools, searched', ...(await costOf(searchable(listed), [search, call, says('Done.')]))],
  ];
}

async function costOf(source: ToolSource, steps: readonly ScriptedStep[]): Promise<string[]> {
  const model = new ScriptedModel(...steps);
  const agent = defineAgent({ name: 'clerk', tools: [source] });
  await using runner = await createRunner(agent, { model });
  await runner.run({ userId: 'ada', message: 'Go.' });
  const declared = model.requests.map(({ config }) => JSON.stringify(config.tools));
  const tokens = declared.map((json) => estimateTokens(json));
  const [last] = JSON.parse(declared.at(-1) ?? '[]') as [{ functionDeclarations: object[] }];
  return [
    String(declared.length),
    String(last.functionDeclarations.length),
    (tokens[0] ?? 0).toLocaleString('en'),
    tokens.reduce((sum, one) => sum + one, 0).toLocaleString('en'),
  ];
}
