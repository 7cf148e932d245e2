import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What Jest says of one test. */
export interface TestResult {
  /** The path of its spec. */
  readonly spec: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

export interface RunSpecsOptions {
  /** Which tests are run: a pattern of their full names. Default: all. */
  readonly namePattern?: string;
  /** Variables of the environment beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs specs by Jest, as `npm test` does, and reads what it found.
 *
 * @param patterns of their paths
 * @throws Error if a spec did not run at all
 */
export async function runSpecs(
  patterns: readonly string[],
  { namePattern, environment = {} }: RunSpecsOptions = {},
): Promise<TestResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-specs-'));
  const report = join(folder, 'report.json');
  const named = namePattern === undefined ? [] : [`--testNamePattern=${namePattern}`];
  try {
    const said = await runJest(['--json', `--outputFile=${report}`, ...named, ...patterns], environment);
    return resultsOf(report, said);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runJest(options: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> {
  const flags = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const jest = spawn(process.execPath, [...flags, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
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
    readonly name: string;
    readonly assertionResults: readonly Omit<TestResult, 'spec'>[];
    readonly message: string;
  }[];
}

function resultsOf(path: string, said: string): TestResult[] {
  const { testResults } = JSON.parse(readReport(path, said)) as JestReport;
  const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  if (broken) throw new Error(`A spec did not run: ${broken.message}`);
  return testResults
    .flatMap(({ name, assertionResults }) => assertionResults.map((result) => ({ ...result, spec: name })))
    .filter(({ ancestorTitles, status }) => status !== 'pending' || ancestorTitles.length === 0);
}

function readReport(path: string, said: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`Jest ran no spec: ${said}`);
  }
}
