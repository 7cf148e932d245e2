import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { laterNode } from '../command-line/later-node.js';
import type { Check } from '../check.js';

/** The longest that one scenario may take, in milliseconds. */
const LIMIT_MS = 60_000;

/** One check of a scenario, as the tool writes it. */
interface WrittenCheck {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
  readonly description?: string;
}

/** The program of `@modelcontextprotocol/conformance`. */
function conformanceProgram(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(resolve('@modelcontextprotocol/conformance/package.json'), '../dist/index.js');
}

/** The names of all scenarios. */
export async function listScenarios(kind: 'client' | 'server'): Promise<string[]> {
  const { stdout } = await run(['list', `--${kind}`]);
  return stdout.split('\n').flatMap((line) => /^\s+- (\S+)/.exec(line)?.[1] ?? []);
}

/** Runs one scenario; its checks become one, whose fault names those that failed. */
export async function runScenario(
  kind: 'client' | 'server',
  scenario: string,
  args: readonly string[],
): Promise<Check> {
  const folder = await mkdtemp(join(tmpdir(), 'adorn-mcp-'));
  try {
    const { stdout, stderr } = await run([kind, '--scenario', scenario, '--output-dir', folder, ...args]);
    const checks = await readChecks(folder);
    if (!checks)
      return { what: scenario, fault: `no checks were written: ${(stderr || stdout).slice(-300)}` };
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    const done = checks.filter(({ status }) => status === 'SUCCESS');
    if (failed.length > 0) return { what: scenario, fault: failed.map(faultOf).join('; ') };
    return done.length > 0 ? { what: scenario } : { what: scenario, fault: 'nothing was checked' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function faultOf({ id, status, errorMessage, description }: WrittenCheck): string {
  return `${status.toLowerCase()} ${id}: ${errorMessage ?? description ?? ''}`;
}

async function readChecks(folder: string): Promise<WrittenCheck[] | undefined> {
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.endsWith('checks.json'));
  if (file === undefined) return undefined;
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as WrittenCheck[];
}

/** Runs the tool, which needs Node.js 22. Its exit code says no more than its checks. */
function run(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const options = { timeout: LIMIT_MS, maxBuffer: 16_777_216 };
  return new Promise((resolve) => {
    execFile(laterNode(), [conformanceProgram(), ...args], options, (_error, stdout, stderr) => {
      resolve({ stdout, stderr });
    });
  });
}
