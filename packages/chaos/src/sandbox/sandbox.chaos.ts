import { setTimeout } from 'node:timers/promises';

import { type Check, type Section, timed } from '@adorn/conformance/check';
import { messageOf } from '@adorn/conformance/message-of';
import { type CodeExecutionResult, type CodeExecutor, outcomeOfCode } from '@adorn/core/backend';
import { bubblewrap, docker, pyodide, quickJs } from '@adorn/sandbox';

import type { Attack } from './attack.js';
import { HostWatch, type Felt } from './host-watch.js';
import { JAVASCRIPT_ATTACKS } from './javascript-attacks.js';
import { NoSandbox } from './no-sandbox.js';
import { BASH_ATTACKS, PYTHON_ATTACKS } from './python-attacks.js';
import { chaosSuite, type SuiteOptions } from '../suite.js';

/** The time limit of an execution in milliseconds. */
const TIMEOUT = 2_000;

/** How long after the time limit code must be gone. */
const GRACE = 10_000;

const MIB = 1024 * 1024;

/** The most memory that the host, or all processes of a sandbox, may take. */
const MOST_MEMORY = 1024 * MIB;

/** The most processes of a sandbox. */
const MOST_PROCESSES = 200;

const LIMITS = { timeout: TIMEOUT, maxOutput: 20_000, maxFiles: MIB };
const ATTACKS = [...JAVASCRIPT_ATTACKS, ...PYTHON_ATTACKS, ...BASH_ATTACKS];

/** The sandboxes, each with a state that is kept, so that the time of its start is not that of the attack. */
const SANDBOXES: Readonly<Record<string, () => CodeExecutor>> = {
  quickJs: () => quickJs(LIMITS),
  pyodide: () => pyodide({ ...LIMITS, memory: 256 * MIB, stateful: true, warm: 1 }),
  bubblewrap: () => bubblewrap({ ...LIMITS, memory: 256 * MIB, disk: 32 * MIB }),
  docker: () => docker({ ...LIMITS, languages: ['python', 'bash'] }),
};

export const sandboxChaos = chaosSuite({
  name: 'sandbox',
  takes: 'three to six minutes',
  summary:
    'code that never ends, takes memory, forks, floods, and tries to leave, in every sandbox of this ' +
    'machine; each line has its time, the longest delay of the host and the memory that it took',
  quick: 'every fourth attack',
  run: attack,
});

/** Attacks every sandbox that is there, and looks at what the host has felt. */
async function* attack({ quick }: SuiteOptions<never>): AsyncGenerator<Section> {
  const watch = await HostWatch.start();
  try {
    yield await timed('without a sandbox', async () => [
      { name: 'attacks that reach the host', checks: await controls(watch) },
    ]);
    for (const [name, open] of Object.entries(SANDBOXES)) yield await attacked(name, open, watch, quick);
  } finally {
    await watch.close();
  }
}

async function attacked(
  name: string,
  open: () => CodeExecutor,
  watch: HostWatch,
  quick: boolean,
): Promise<Section> {
  await using executor = open();
  try {
    await executor.ready();
  } catch (error) {
    const checks: Check[] = [{ what: 'refuses to run without isolation' }];
    return { name, groups: [{ name: 'absent', checks }], ms: 0, leftOut: [messageOf(error)] };
  }
  console.log(HEADER);
  return await timed(name, async () => {
    const checks: Check[] = [];
    const attacks = ATTACKS.filter(({ language }) => executor.languages.includes(language));
    for (const attack of attacks.filter((_, index) => !quick || index % 4 === 0))
      checks.push(await attackOnce(name, executor, attack, watch));
    return [{ name: 'attacks', checks }];
  });
}

async function attackOnce(
  name: string,
  executor: CodeExecutor,
  { language, isBomb = false, ...attack }: Attack,
  watch: HostWatch,
): Promise<Check> {
  const what = `${attack.name} (${language})`;
  const input = { language, executionId: 'chaos' };
  await executor.execute({ ...input, code: HARMLESS[language] });
  const { result, felt } = await watch.feel(() =>
    executor
      .execute({ ...input, code: attack.code(watch.target) })
      .catch((error: unknown) => messageOf(error)),
  );
  await setTimeout(50);
  const output = typeof result === 'string' ? result : textOf(result);
  const outcome = typeof result === 'string' ? `the executor failed: ${result}` : nameOf(result);
  console.log(rowOf(name, what, outcome, felt));
  const fault = watch.faultOf(output) ?? faultOf(result, felt, isBomb);
  const after = await executor.execute({ ...input, code: HARMLESS[language] });
  return { what, fault: fault ?? (after.exitCode === 0 ? undefined : 'nothing runs after it') };
}

const HARMLESS = { javascript: '1', python: '1', bash: 'true' };

function textOf({ stdout, stderr, result, files = [] }: CodeExecutionResult): string {
  const contents = files.map(({ name, data }) => name + Buffer.from(data).toString());
  return [stdout, stderr, JSON.stringify(result), ...contents].join('\n');
}

function nameOf(result: CodeExecutionResult): string {
  const outcome = outcomeOfCode(result);
  if (outcome === 'OUTCOME_DEADLINE_EXCEEDED') return 'stopped at the time limit';
  if (outcome === 'OUTCOME_OK') return 'ended, without effect';
  const lines = result.stderr.trim().split('\n');
  const message = lines.findLast((line) => !/^\s/.test(line)) ?? '';
  return `failed: ${message === '' ? `exit code ${String(result.exitCode)}` : message.slice(0, 90)}`;
}

function faultOf(result: CodeExecutionResult | string, felt: Felt, isBomb: boolean): string | undefined {
  if (typeof result === 'string') return `the executor failed: ${result}`;
  const outside = result.files?.find(({ name }) => name.includes('/'));
  if (outside) return `it returned a file called ${outside.name}`;
  if (isBomb && result.exitCode === 0) return 'it ran to its end';
  if (felt.ms > TIMEOUT + GRACE) return `it ran for ${felt.ms.toFixed(0)} ms`;
  if (textOf(result).length > 8 * MIB) return 'its output is not bounded';
  if (felt.rss > MOST_MEMORY) return `the host took ${String(Math.round(felt.rss / MIB))} MiB`;
  if (felt.processes > MOST_PROCESSES) return `it had ${String(felt.processes)} processes`;
  return felt.memory > MOST_MEMORY ? `it took ${String(Math.round(felt.memory / MIB))} MiB` : undefined;
}

const HEADER =
  '| sandbox    | abuse                                                                |' +
  '   stopped | host: delay | memory | processes |  memory | outcome';

/** The time until it was stopped; the longest delay of the host's event loop, and what the host took; the sandbox's peaks. */
function rowOf(name: string, what: string, outcome: string, felt: Felt): string {
  const cells = [
    name.padEnd(10),
    what.padEnd(68),
    `${felt.ms.toFixed(0)} ms`.padStart(9),
    `${felt.delayMs.toFixed(0)} ms`.padStart(11),
    `${(felt.rss / MIB).toFixed(0)} M`.padStart(6),
    String(felt.processes).padStart(9),
    `${(felt.memory / MIB).toFixed(0)} M`.padStart(7),
  ];
  return `| ${cells.join(' | ')} | ${outcome}`;
}

/** Attacks that have a control reach the host without a sandbox. */
async function controls(watch: HostWatch): Promise<Check[]> {
  const executor = new NoSandbox();
  const checks: Check[] = [];
  for (const { name, language, code, hasControl } of ATTACKS) {
    if (hasControl !== true) continue;
    const result = await executor.execute({ code: code(watch.target), language });
    await setTimeout(50);
    const reached = watch.faultOf(textOf(result));
    checks.push({
      what: `${name} (${language})`,
      fault: reached === undefined ? 'it reaches nothing without a sandbox, so it is no attack' : undefined,
    });
  }
  return checks;
}
