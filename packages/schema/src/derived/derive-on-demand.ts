import { AdornError } from '../errors/adorn.error.js';
import { type AdornErrorCode, ERROR_CODES } from '../errors/error-codes.js';
import type { DerivedClass, DerivedTool } from './derived-class.js';

/** A class or a function whose record is wanted. */
export type Wanted = WantedClass | WantedFunction;

export interface WantedClass {
  readonly kind: 'class';
  readonly name: string;
  /** The files in which it may have been decorated, as decorators saw them. */
  readonly sites: readonly string[];
  /** Its tool methods, for the error that says it has no schema. */
  readonly methods?: readonly string[];
  /** Omitted if it cannot be derived. */
  readonly isOptional?: true;
  readonly keep: (record: DerivedClass) => void;
}

interface WantedFunction {
  readonly kind: 'function';
  readonly name: string;
  /** The file that makes it a tool. */
  readonly sites: readonly string[];
  readonly isOptional?: never;
  readonly keep: (record: DerivedTool) => void;
}

/**
 * Derives records of classes and functions from their sources, by `@adorn/compiler` where it is installed.
 *
 * @throws {SchemaMissingError} in production, without @adorn/compiler, or where a source is not found
 * @throws {DerivationFailedError} if the compiler fails
 * @throws {CompilerFaultError} if the compiler reports faults
 */
export async function deriveOnDemand(wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  if (process.env['NODE_ENV'] === 'production') {
    refuse(wanted, () => 'in production it is not derived, and "adorn build" has not written it');
    return;
  }
  const compiler = await findCompiler(wanted.flatMap(({ sites }) => sites)[0]);
  if (compiler === undefined) {
    refuse(wanted, () => '@adorn/compiler is not installed, or not built');
    return;
  }
  const requests = wanted.map(({ kind, name, sites }) => ({ kind, name, sites }));
  const answer = await askCompiler(compiler, requests);
  if (answer.kind === 'failed') throw new DerivationFailedError(answer.message);
  keepRecords(new Map(wanted.map((one, index) => [one, answer.answers[index] ?? NO_ANSWER])));
}

const NO_ANSWER: RecordAnswer = { kind: 'missing', why: 'the compiler gave no answer for it' };

function keepRecords(answers: ReadonlyMap<Wanted, RecordAnswer>): void {
  const faults = [...answers].flatMap(([one, answer]) =>
    answer.kind === 'faulty' && one.isOptional !== true ? [answer.fault] : [],
  );
  if (faults.length > 0) throw new CompilerFaultError(faults);
  const missing = new Map<Wanted, string>();
  for (const [one, answer] of answers) {
    if (answer.kind === 'derived') keep(one, answer.record);
    else if (answer.kind === 'missing') missing.set(one, answer.why);
  }
  refuse([...missing.keys()], (one) => missing.get(one) ?? '');
}

/** The compiler answers a request for a class with the record of a class, and one for a function with a tool's. */
function keep(one: Wanted, record: DerivedClass | DerivedTool): void {
  if (one.kind === 'class') one.keep(record as DerivedClass);
  else one.keep(record as DerivedTool);
}

/** Throws for those that are not optional. */
function refuse(lost: readonly Wanted[], why: (one: Wanted) => string): void {
  const required = lost.filter(({ isOptional }) => isOptional !== true);
  if (required.length === 0) return;
  throw new SchemaMissingError(
    required.map((one) => {
      const methods = one.kind === 'class' ? (one.methods ?? []) : [];
      return { kind: one.kind, name: one.name, methods, why: why(one) };
    }),
  );
}

/** A class or function whose record is asked for. */
export interface RecordRequest {
  /** A class with tool methods, or a function that is a tool. */
  readonly kind: 'class' | 'function';
  /** The name of the class or function in its source. */
  readonly name: string;
  /** The files in which it may have been decorated or made a tool, as decorators saw them. */
  readonly sites: readonly string[];
}

/** Why the compiler could not derive something. */
export interface DerivationFault {
  /** The code of the fault; see `packages/docs/errors.md`. */
  readonly code: string;
  /** What is wrong, where, and what to do. */
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
  /**
   * Takes a JSON array of requests, and resolves to JSON with one answer for each, in their order.
   *
   * @param requests `RecordRequest[]` as JSON. @returns `OnDemandAnswer` as JSON
   */
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
    if (own) Object.defineProperty(process, 'emitWarning', own);
  }
}

/** What was thrown is of another realm, where the loader is. */
function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

/** The compiler could not run, failed, or returned something that is not its result. */
class DerivationFailedError extends AdornError {
  readonly code = 'DERIVATION_FAILED';
}

/**
 * The compiler reported faults in the sources. The code is that of the first fault, such as TYPE_NOT_REPRESENTABLE or
 * TOOL_MISPLACED; the message lists all of them.
 */
class CompilerFaultError extends AdornError {
  readonly code: AdornErrorCode;

  constructor(faults: readonly DerivationFault[]) {
    super([...new Set(faults.map(({ message }) => message))].join('\n'));
    this.code = ERROR_CODES.find((known) => known === faults[0]?.code) ?? 'DERIVATION_FAILED';
  }
}

/** A class or function without a record, and the reason. */
interface MissingSchema {
  readonly kind: 'class' | 'function';
  readonly name: string;
  /** The tool methods of a class, if known. */
  readonly methods: readonly string[];
  /** A sentence without its period. */
  readonly why: string;
}

/** Tools have no schemas: they were neither built nor derivable. */
class SchemaMissingError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(readonly missing: readonly MissingSchema[]) {
    super(
      `There is no schema for ${missing.map(describe).join('; ')}. ` +
        'Run "adorn build" after tsc, bundle with the plugin (adorn() of "@adorn/compiler/vite", "/esbuild", "/rollup", ' +
        '"/rolldown" or "/webpack"), install @adorn/compiler as a dev dependency to derive schemas in development, ' +
        'or write the schema: @tool({ parameters }) or defineTool({ parameters }).',
    );
  }
}

function describe({ kind, name, methods, why }: MissingSchema): string {
  if (kind === 'function') return `the function ${name}: ${why}`;
  const names = methods.length > 0 ? ` (${methods.join(', ')})` : '';
  return `the tools of ${name}${names}: ${why}`;
}
