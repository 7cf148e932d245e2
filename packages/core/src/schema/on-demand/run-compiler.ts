import { DerivationFailedError } from './errors.js';
import type { DerivationAnswer } from './derivation-cache.js';

/** The compiler as found from a user's file. */
export interface Compiler {
  /** The script to run. */
  readonly script: string;
  /** What tells it from another: its version and the time and size of its script. */
  readonly identity: string;
}

interface Manifest {
  readonly version: string;
  readonly exports: { readonly './derive': { readonly default: string } };
}

const TIME_LIMIT_MS = 120_000;

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

/** `@adorn/compiler` as the user's file, or the running program, would find it; undefined where it is not installed. */
export async function findCompiler(userFile: string): Promise<Compiler | undefined> {
  const path = await import('node:path');
  for (const from of [userFile, path.join(process.cwd(), 'package.json')]) {
    const compiler = (await installedAbove(from)) ?? (await resolvedFrom(from));
    if (compiler !== undefined) return compiler;
  }
  return undefined;
}

/** In the node_modules of a folder above the file: the usual case, and the same whatever a test runner maps. */
async function installedAbove(file: string): Promise<Compiler | undefined> {
  const path = await import('node:path');
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = await compilerAt(path.join(folder, 'node_modules', '@adorn', 'compiler', 'package.json'));
    if (found !== undefined || folder === path.dirname(folder)) return found;
  }
}

/** Where packages are not in folders, Node's own resolution knows where they are. */
async function resolvedFrom(file: string): Promise<Compiler | undefined> {
  const { createRequire } = await import('node:module');
  try {
    return await compilerAt(createRequire(file).resolve('@adorn/compiler/package.json'));
  } catch {
    return undefined;
  }
}

async function compilerAt(manifestPath: string): Promise<Compiler | undefined> {
  const path = await import('node:path');
  const { readFile, stat } = await import('node:fs/promises');
  try {
    const { version, exports } = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
    const script = path.join(path.dirname(manifestPath), exports['./derive'].default);
    const { mtimeMs, size } = await stat(script);
    return { script, identity: `${version} ${String(mtimeMs)} ${String(size)}` };
  } catch {
    return undefined;
  }
}

/**
 * Asks the compiler for the records of source files, in one process of its own: it is large, and what it loads
 * is not to stay in the user's.
 *
 * @throws {DerivationFailedError} where the process cannot run, fails, or has no answer within 120 seconds
 */
export async function runCompiler(
  { script }: Compiler,
  files: readonly string[],
  timeLimit = TIME_LIMIT_MS,
): Promise<DerivationAnswer> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [...SHORT_AND_LARGE, script], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  // Node's own limit would go on where no process was started, and keep the user's from its end.
  const limit = setTimeout(() => child.kill(), timeLimit);
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify({ files }));
  const [answer, complaints, ending] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
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
  });
  if (ending !== undefined) throw new DerivationFailedError(complaint(script, ending, complaints));
  return parse(answer, script, complaints);
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for a process that ended well. */
function endingOf(code: number | null, signal: string | null, timeLimit: number): string | undefined {
  if (signal !== null)
    return `it was ended by ${signal} (its time limit is ${String(timeLimit / 1000)} seconds)`;
  return code === 0 ? undefined : `it exited with code ${String(code)}`;
}

function complaint(script: string, what: string, complaints: string): string {
  const output = complaints.trim() === '' ? '' : ` Its output:\n${complaints.trim()}`;
  return `The compiler (${script}) returned no schemas: ${what}.${output}`;
}

function parse(answer: string, script: string, complaints: string): DerivationAnswer {
  try {
    return JSON.parse(answer) as DerivationAnswer;
  } catch {
    throw new DerivationFailedError(
      complaint(script, `its answer is not JSON: ${answer.slice(0, 200)}`, complaints),
    );
  }
}
