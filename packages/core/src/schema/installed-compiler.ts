import type { DerivedClass, DerivedTool } from './derived-class.js';

/** A class or function whose record is asked for. */
export interface RecordRequest {
  readonly kind: 'class' | 'function';
  readonly name: string;
  /** The file in which it was decorated or made a tool, as `declarationSite` saw it. */
  readonly site?: string | undefined;
}

/** Why the compiler could not derive something. */
export interface DerivationFault {
  readonly code: string;
  readonly message: string;
  /** A file that is not there yet may cure it, so it holds for this run of the compiler only. */
  readonly isUnresolved?: true;
}

/** The result of one request. */
export type RecordAnswer =
  | { readonly kind: 'derived'; readonly record: DerivedClass | DerivedTool }
  | { readonly kind: 'faulty'; readonly fault: DerivationFault }
  /** `why` is a sentence without its period. */
  | { readonly kind: 'missing'; readonly why: string };

/** The compiler's answer: one for each request, in the same order, or why it could not run. */
export type OnDemandAnswer =
  | { readonly kind: 'answered'; readonly answers: readonly RecordAnswer[] }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * What `@adorn/compiler/on-demand` exports. Requests and answer travel as JSON, so that records belong to the realm of
 * the caller: test runners load core into realms of their own, and the compiler once for all of them.
 */
export interface OnDemandEntry {
  /** @param requests `RecordRequest[]` as JSON. @returns `OnDemandAnswer` as JSON */
  readonly answerOnDemand: (requests: string) => Promise<string>;
}

interface Manifest {
  readonly exports: { readonly './on-demand': { readonly default: string } };
}

/**
 * The script of `@adorn/compiler/on-demand` as the user's file, or the running program, would find it; undefined where
 * the compiler is not installed or not built. No import names it: bundlers would otherwise take the compiler in.
 */
export async function findCompiler(userFile: string | undefined): Promise<string | undefined> {
  const path = await import('node:path');
  const program = path.join(process.cwd(), 'package.json');
  for (const from of userFile === undefined ? [program] : [userFile, program]) {
    const script = (await installedAbove(from)) ?? (await resolvedFrom(from));
    if (script !== undefined) return script;
  }
  return undefined;
}

/** In the node_modules of a folder above the file: the usual case, and the same whatever a test runner maps. */
async function installedAbove(file: string): Promise<string | undefined> {
  const path = await import('node:path');
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const found = await scriptOf(path.join(folder, 'node_modules', '@adorn', 'compiler', 'package.json'));
    if (found !== undefined || folder === path.dirname(folder)) return found;
  }
}

/** If packages are not in folders, Node's own resolution finds them. */
async function resolvedFrom(file: string): Promise<string | undefined> {
  const { createRequire } = await import('node:module');
  try {
    return await scriptOf(createRequire(file).resolve('@adorn/compiler/package.json'));
  } catch {
    return undefined;
  }
}

async function scriptOf(manifestPath: string): Promise<string | undefined> {
  const path = await import('node:path');
  const { readFile, stat } = await import('node:fs/promises');
  try {
    const { exports } = JSON.parse(await readFile(manifestPath, 'utf8')) as Manifest;
    const script = path.join(path.dirname(manifestPath), exports['./on-demand'].default);
    await stat(script);
    return script;
  } catch {
    return undefined;
  }
}

/** Loads the compiler's script and asks it. */
export async function askCompiler(
  script: string,
  requests: readonly RecordRequest[],
): Promise<OnDemandAnswer> {
  let entry: OnDemandEntry;
  try {
    entry = await importInNode(script);
  } catch (error) {
    return { kind: 'failed', message: `The compiler (${script}) cannot be loaded: ${messageOf(error)}` };
  }
  return JSON.parse(await entry.answerOnDemand(JSON.stringify(requests))) as OnDemandAnswer;
}

/** Imports by Node's own loader, also where a test runner or a compiler to CommonJS has replaced `import()`. */
async function importInNode(file: string): Promise<OnDemandEntry> {
  const { pathToFileURL } = await import('node:url');
  const { constants, Script } = await import('node:vm');
  const code = `import(${JSON.stringify(pathToFileURL(file).href)})`;
  const loader = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  const script = new Script(code, loader);
  return (await withoutWarning(() => script.runInThisContext() as Promise<unknown>)) as OnDemandEntry;
}

/** Node warns once in each process that the loader is experimental, which is of no use to who runs a program. */
function withoutWarning<Result>(run: () => Result): Result {
  const own = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    if (own !== undefined) Object.defineProperty(process, 'emitWarning', own);
  }
}

/** What was thrown is of another realm, where the loader is. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
