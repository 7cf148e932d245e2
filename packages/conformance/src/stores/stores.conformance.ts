import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Section } from '../check.js';
import type { Suite } from '../suite.js';
import { byBackend, type TestResult } from './contract-result.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The specs in which a backend is put to its contract. */
const SPECS = 'packages/(core|storage)/src/(sessions|artifacts|memory|auth|credentials)/.*\\.spec\\.ts$';

/** Every contract suite of a store, on every backend of it. */
export const storesConformance: Suite = {
  name: 'stores',
  summary: 'the contract suites of sessions, artifacts, memory and credentials on every backend',
  takes: 'about 90 seconds',
  async *run() {
    const begun = performance.now();
    const backends = byBackend(await runContracts());
    const ms = (performance.now() - begun) / Math.max(1, backends.length);
    for (const { backend, groups } of backends) yield { name: backend, groups, ms } satisfies Section;
  },
};

/** Runs the specs by Jest, as `npm test` does, and reads what it found. */
async function runContracts(): Promise<TestResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-stores-'));
  const report = join(folder, 'report.json');
  try {
    const said = await runJest([
      '--json',
      `--outputFile=${report}`,
      '--testNamePattern=as an? \\w+Service',
      SPECS,
    ]);
    return resultsOf(report, said);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runJest(options: readonly string[]): Promise<string> {
  const flags = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const jest = spawn(process.execPath, [...flags, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  jest.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('close', () => {
      resolve(said);
    });
  });
}

interface JestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly TestResult[];
    readonly message: string;
  }[];
}

/** @throws where a spec did not run at all */
function resultsOf(path: string, said: string): TestResult[] {
  const { testResults } = JSON.parse(readReport(path, said)) as JestReport;
  const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  if (broken) throw new Error(`A spec of the contracts did not run: ${broken.message}`);
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ ancestorTitles, status }) => status !== 'pending' || ancestorTitles.length === 0);
}

function readReport(path: string, said: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`Jest ran no spec of the contracts: ${said}`);
  }
}
