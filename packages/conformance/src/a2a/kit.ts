import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { UsageError } from '../command-line/usage.error.js';
import { installPackages } from '../debian-packages.js';

/** The Python that runs the kit: that of Debian, for which Debian has the packages. */
const PYTHON = process.env['ADORN_PYTHON'] ?? '/usr/bin/python3';

/** The modules that the kit imports, and the packages of Debian in which they are. */
const MODULES: Readonly<Record<string, string>> = {
  pytest: 'python3-pytest',
  pytest_asyncio: 'python3-pytest-asyncio',
  httpx: 'python3-httpx',
  grpc: 'python3-grpcio',
  jsonschema: 'python3-jsonschema',
  responses: 'python3-responses',
  deepdiff: 'python3-deepdiff',
  dotenv: 'python3-dotenv',
  aiohttp: 'python3-aiohttp',
  OpenSSL: 'python3-openssl',
  'google.protobuf': 'python3-protobuf',
};

/** The tests that `run_tck.py` runs for a category. */
const CATEGORIES = {
  mandatory: ['tests/mandatory/', '-m', 'mandatory_jsonrpc or mandatory_protocol'],
  capabilities: ['tests/optional/capabilities/'],
} as const;

export type Category = keyof typeof CATEGORIES;

/** The binding that the kit speaks. */
export type KitTransport = 'jsonrpc' | 'rest';

/** What a test of the kit came to. */
export interface KitResult {
  /** Without its folder, such as `test_agent_card.py::test_agent_card_available`. */
  readonly test: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  readonly reason: string;
}

/**
 * Sees to it that Python has the modules of the kit: Debian's packages are installed where this process may do so.
 *
 * @throws {UsageError} if a module is missing
 */
export async function requirePython(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  if (installPackages(missing) && (await missingPackages()).length === 0) return;
  throw new UsageError(
    `The kit is written in Python, and ${PYTHON} lacks modules of it. Run: apt-get install ${missing.join(' ')}`,
  );
}

/** The packages of Debian that Python lacks. */
async function missingPackages(): Promise<string[]> {
  const probe = Object.keys(MODULES).map((module) => `probe(${JSON.stringify(module)})`);
  const program = [
    'import importlib',
    'def probe(name):',
    '  try: importlib.import_module(name)',
    '  except ImportError: print(name)',
    ...probe,
  ].join('\n');
  const { output, code } = await run(['-c', program], process.cwd());
  if (code !== 0)
    throw new UsageError(`${PYTHON} could not be run. Install Python 3.11, or set ADORN_PYTHON.`);
  return output.split('\n').flatMap((name) => MODULES[name] ?? []);
}

/** Runs the tests of a category against a server. */
export async function runKit(
  kit: string,
  { url, category, transport }: { url: string; category: Category; transport: KitTransport },
): Promise<KitResult[]> {
  const [path, ...markers] = CATEGORIES[category];
  const options = [`--sut-url=${url}`, '--test-scope=all', '--transports', transport, '--tb=no', '-vrfEsx'];
  const args = ['-m', 'pytest', path, ...markers, ...options, '-p', 'no:cacheprovider'];
  const { output } = await run(args, kit);
  const results = resultsIn(output);
  if (results.length === 0) throw new Error(`The kit ran no test:\n${output.slice(-2_000)}`);
  return results;
}

async function run(args: readonly string[], cwd: string): Promise<{ output: string; code: number | null }> {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', COLUMNS: '400', TCK_STREAMING_TIMEOUT: '2.0' };
  const child = spawn(PYTHON, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const output = await text(child.stdout);
  const [code] = (await closed) as [number | null];
  return { output, code };
}

const RESULT =
  /^tests\/\S*?([^/\s]+::.+?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \((.*?)\)?)?\s*(?:\[|$)/;
const FAULT = /^(?:FAILED|ERROR) tests\/\S*?([^/\s]+::.+?) - (.*)$/;

function resultsIn(output: string): KitResult[] {
  const lines = output.split('\n');
  const faults = new Map<string, string>();
  for (const line of lines) {
    const [, test, fault = ''] = FAULT.exec(line) ?? [];
    if (test !== undefined) faults.set(test, fault);
  }
  return lines.flatMap((line): KitResult[] => {
    const [, test, word = '', reason = ''] = RESULT.exec(line) ?? [];
    if (test === undefined) return [];
    if (word === 'FAILED' || word === 'ERROR')
      return [{ test, outcome: 'failed', reason: faults.get(test) ?? 'it failed' }];
    const outcome = word === 'PASSED' || word === 'XPASS' ? 'passed' : 'skipped';
    return [{ test, outcome, reason }];
  });
}
