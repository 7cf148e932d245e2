import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Check, failuresOf, type Section } from '../check.js';
import type { Suite } from '../suite.js';
import { DOCUMENTS } from './documents.js';
import { type DocumentedDifference, type Example, playExample } from './example.js';
import { type MarkedProgram, programsIn } from './program-lines.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = `${ROOT}packages/conformance/src/examples/`;
const NAME_WIDTH = 34;

/** Every example program of the documents that Adorn implements, written with Adorn and held to what they promise. */
export const examplesConformance: Suite = {
  name: 'examples',
  summary:
    'the example programs of the documents that Adorn implements: lines of code there and here, and whether they do the same',
  takes: 'seconds',
  async *run() {
    const programs = readPrograms();
    const verdicts: Verdict[] = [];
    for (const { name, examples } of DOCUMENTS)
      for (const example of examples) {
        const begun = performance.now();
        const verdict = await judge(example, programs.get(example.name));
        verdicts.push(verdict);
        yield sectionOf(name, verdict, performance.now() - begun);
      }
    yield summaryOf(verdicts, programs);
  },
};

/** What has come of one example. */
interface Verdict {
  readonly example: Example;
  /** Lines of code of our program. */
  readonly here: number;
  readonly checks: readonly Check[];
}

/** The programs in the files of this folder, by the names of their examples. */
function readPrograms(): Map<string, MarkedProgram> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.examples.ts'));
  const programs = files.flatMap((name) => programsIn(readFileSync(FOLDER + name, 'utf8')));
  return new Map(programs.map((program) => [program.name, program]));
}

async function judge(example: Example, program: MarkedProgram | undefined): Promise<Verdict> {
  const { hasImports = false, differs } = example;
  const checks = [...(await playExample(example)), ...(differs ? [checkPage(differs)] : [])];
  if (!program)
    return { example, here: 0, checks: [...checks, { what: 'has a program', fault: 'no marker' }] };
  return { example, here: program.lines + (hasImports ? program.imports : 0), checks };
}

/** A difference is documented if its page says it. */
function checkPage({ what, page, words }: DocumentedDifference): Check {
  const path = `${ROOT}packages/${page}`;
  const isSaid = existsSync(path) && readFileSync(path, 'utf8').replace(/\s+/g, ' ').includes(words);
  return isSaid
    ? { what: `the page ${page} says: ${what}` }
    : { what, fault: `${page} does not say "${words}"` };
}

function sectionOf(document: string, verdict: Verdict, ms: number): Section {
  const { example, here, checks } = verdict;
  const name = `${document.slice(0, 3)} ${example.name}`.padEnd(NAME_WIDTH);
  const lines = `${pad(example.there)} lines there, ${pad(here)} here`;
  const groups = [{ name: `${lines}, same: ${sameOf(verdict)}`, checks }];
  const { differs } = example;
  return differs
    ? { name, groups, ms, leftOut: [`${differs.what} (${differs.page})`] }
    : { name, groups, ms };
}

function sameOf({ example, checks }: Verdict): 'yes' | 'documented difference' | 'no' {
  if (failuresOf(checks).length > 0) return 'no';
  return example.differs ? 'documented difference' : 'yes';
}

/** The sums, and whether each marked program is an example. */
function summaryOf(verdicts: readonly Verdict[], programs: ReadonlyMap<string, MarkedProgram>): Section {
  const names = new Set(verdicts.map(({ example }) => example.name));
  const strays = [...programs.keys()].filter((name) => !names.has(name));
  const count = (same: string): number => verdicts.filter((one) => sameOf(one) === same).length;
  const sum = (of: (one: Verdict) => number): number => verdicts.reduce((total, one) => total + of(one), 0);
  const lines = `${pad(sum(({ example }) => example.there))} lines there, ${pad(sum(({ here }) => here))} here`;
  const same = `${String(count('yes'))} yes, ${String(count('documented difference'))} documented, ${String(count('no'))} no`;
  const checks = [
    ...strays.map((name) => ({ what: name, fault: 'is marked as an example, and nothing checks it' })),
    { what: 'every marked program is an example' },
  ];
  return {
    name: `${String(verdicts.length)} examples`.padEnd(NAME_WIDTH),
    groups: [{ name: `${lines}, same: ${same}; each is marked`, checks }],
    ms: 0,
  };
}

function pad(count: number): string {
  return String(count).padStart(3);
}
