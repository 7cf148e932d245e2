import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

import type { DerivationAnswer } from '../derive/derive-files.js';

/** A compiler that derives records in a separate process. */
export interface Compiler {
  /** The script to run. */
  readonly script: string;
  /** Its identity: its version, and the time and size of its script. */
  readonly identity: string;
}

/** The result of a compiler run: an answer for each file, or the reason of its failure. */
export type CompilerRun =
  | { readonly kind: 'answered'; readonly files: DerivationAnswer }
  | { readonly kind: 'failed'; readonly message: string };

/** How long a compiler may run, and what is said of a long run. */
export interface RunOptions {
  /** Milliseconds until the run is ended. Default: 120,000. */
  readonly limit?: number;
  /** Milliseconds until a line on the console announces a running compiler. Default: 3,000. */
  readonly notice?: number;
  /** That line. Default: what is done, and in a test runner how to avoid the wait. */
  readonly words?: string;
}

/** How a test runner avoids the wait, by a variable that it sets. Elsewhere nothing is to be done. */
const TEST_RUNNERS: Readonly<Record<string, string>> = {
  VITEST: ' The wait is avoided by globalSetup: "@adorn/compiler/vitest".',
  JEST_WORKER_ID: ' The wait is avoided by the preset @adorn/compiler/jest.',
};

/** What is said of a long run. */
export function noticeIn(environment: NodeJS.ProcessEnv): string {
  const runner = Object.keys(TEST_RUNNERS).find((name) => environment[name] !== undefined);
  return (
    'adorn: the schemas of tools are being derived from their sources, and are cached for the next start.' +
    (runner === undefined ? '' : (TEST_RUNNERS[runner] ?? ''))
  );
}

/**
 * How V8 runs a large program for a short time. Most of what the compiler makes lives until its end: collecting less
 * often saves a quarter of its time, and one thread that collects takes less than several. Node 20 also optimizes so
 * early that most of it comes to nothing: to wait for longer saves another quarter; later ones wait by themselves, and
 * no longer know the word.
 */
const SHORT_AND_LARGE: readonly string[] = [
  '--max-semi-space-size=64',
  '--single-threaded-gc',
  ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : []),
];

/**
 * `@adorn/compiler` as resolved from a file, also from a file of the package itself.
 *
 * @throws where the file finds none
 */
export function compilerOf(file: string): Compiler {
  const own = createRequire(file);
  const script = own.resolve('@adorn/compiler/derive');
  const { version } = own('@adorn/compiler/package.json') as { readonly version: string };
  const { mtimeMs, size } = statSync(script);
  return { script, identity: `${version} ${String(mtimeMs)} ${String(size)}` };
}

/**
 * Asks the compiler for the records of source files, in one process of its own: it is large, and what it loads
 * is not to stay in the user's. It fails where the process cannot run, ends badly, or has no answer within 120 seconds.
 * A run of more than three seconds is announced, once in a process: a test runner may give up before it ends.
 */
export async function runCompiler(
  { script }: Compiler,
  files: readonly string[],
  { limit: timeLimit = 120_000, notice = 3_000, words = noticeIn(process.env) }: RunOptions = {},
): Promise<CompilerRun> {
  // Whoever finds all records in the cache does not load it.
  const { startGroup } = await import('@adorn/core/backend');
  const { child, end } = startGroup(process.execPath, [...SHORT_AND_LARGE, script], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  // Node's own timeout would keep running if no process started, and keep the user's process alive.
  const limit = setTimeout(() => void end(), timeLimit);
  const slow = setTimeout(() => {
    announce(words);
  }, notice);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ files }));
  const [answer, complaints, ending] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<string | undefined>((resolve) => {
      child.on('error', (error) => {
        resolve(error.message);
      });
      child.on('close', (code, signal) => {
        resolve(endingOf(code, signal, timeLimit));
      });
    }),
  ]).finally(() => {
    clearTimeout(limit);
    clearTimeout(slow);
  });
  if (ending !== undefined) return failed(script, ending, complaints);
  const derived = parse(answer);
  if (!derived) return failed(script, `its answer is not JSON: ${answer.slice(0, 200)}`, complaints);
  return files.every((file) => Object.hasOwn(derived, file))
    ? { kind: 'answered', files: derived }
    : failed(script, 'it has no result for a source file', complaints);
}

const announced = new Set<string>();

function announce(words: string): void {
  if (announced.has(words)) return;
  announced.add(words);
  console.warn(words);
}

/** Undefined for a process that ended well. */
function endingOf(code: number | null, signal: string | null, timeLimit: number): string | undefined {
  if (signal !== null)
    return `it was ended by ${signal} (its time limit is ${String(timeLimit / 1000)} seconds)`;
  return code === 0 ? undefined : `it exited with code ${String(code)}`;
}

function failed(script: string, what: string, complaints: string): CompilerRun {
  const output = complaints.trim() === '' ? '' : ` Its output:\n${complaints.trim()}`;
  return { kind: 'failed', message: `The compiler (${script}) returned no schemas: ${what}.${output}` };
}

function parse(answer: string): DerivationAnswer | undefined {
  try {
    return JSON.parse(answer) as DerivationAnswer;
  } catch {
    return undefined;
  }
}
