import type { CodeExecutor } from '@adorn/core/backend';
import { bubblewrap, docker, pyodide, quickJs } from '@adorn/sandbox';

import { messageOf } from '../message-of.js';
import { type Check, type Section, timed } from '../check.js';
import { findDifference } from '../find-difference.js';
import type { Suite } from '../suite.js';
import { checkContract, type ContractLimits } from './executor-contract.js';
import { JAVASCRIPT_SNIPPETS } from './javascript-snippets.js';
import { PYTHON_SNIPPETS } from './python-snippets.js';
import type { Snippet } from './snippet.js';

const SANDBOXES: readonly (readonly [string, (limits?: ContractLimits) => CodeExecutor])[] = [
  ['quickJs', (limits) => quickJs({ stateful: true, ...limits })],
  ['pyodide', (limits) => pyodide({ stateful: true, warm: 0, ...limits })],
  ['bubblewrap', (limits) => bubblewrap({ languages: ['python'], ...limits })],
  ['docker', (limits) => docker({ languages: ['python'], ...limits })],
];

const SNIPPETS: Readonly<Record<string, readonly Snippet[] | undefined>> = {
  javascript: JAVASCRIPT_SNIPPETS,
  python: PYTHON_SNIPPETS,
};

/** The promises of every executor in each sandbox that is there, and ordinary programs, held to what they print elsewhere. */
export const codeConformance: Suite = {
  name: 'code',
  summary:
    'sandboxes: the promises of every executor, and 60 ordinary programs (csv, json, dates, numbers, plots) with their outputs',
  takes: 'one to three minutes',
  async *run(): AsyncGenerator<Section> {
    for (const [name, open] of SANDBOXES) yield await runIn(name, open);
  },
};

async function runIn(name: string, open: (limits?: ContractLimits) => CodeExecutor): Promise<Section> {
  await using executor = open();
  try {
    await executor.ready();
  } catch (error) {
    const checks = [{ what: 'refuses to run without isolation' }];
    return { name, groups: [{ name: 'absent', checks }], ms: 0, leftOut: [messageOf(error)] };
  }
  const section = await timed(name, async () => {
    const language = executor.languages[0] ?? '';
    const checks: Check[] = [];
    for (const snippet of SNIPPETS[language] ?? []) checks.push(await check(executor, language, snippet));
    return [
      { name: language, checks },
      { name: 'contract', checks: await checkContract(executor, open) },
    ];
  });
  const missing = 'numpy and matplotlib: their files are not on npm; see the page on Python code';
  return name === 'pyodide' ? { ...section, leftOut: [missing] } : section;
}

async function check(executor: CodeExecutor, language: string, snippet: Snippet): Promise<Check> {
  const { name: what, code, output } = snippet;
  const { stdout, stderr } = await executor.execute({ code, language, executionId: 'snippets' });
  return { what, fault: stderr === '' ? findDifference(output, stdout) : stderr.slice(-300) };
}
