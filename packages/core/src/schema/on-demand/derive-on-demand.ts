import type { DerivedClass, DerivedTool } from '../derived-class.js';
import { DerivationCache, type DerivationFault, type DerivedFile } from './derivation-cache.js';
import {
  CompilerFaultError,
  DerivationFailedError,
  type MissingSchema,
  SchemaMissingError,
} from './errors.js';
import { type Compiler, findCompiler, runCompiler } from './run-compiler.js';
import { sourceOf } from './source-of.js';

/** A class or a function whose record is wanted. */
export type Wanted = WantedClass | WantedFunction;

export interface WantedClass {
  readonly kind: 'class';
  readonly name: string;
  /** The file in which it was decorated, as {@link declarationSite} saw it. */
  readonly site: string | undefined;
  /** Its tool methods, for the error that says it has no schema. */
  readonly methods?: readonly string[];
  /** It is left out where it cannot be derived. */
  readonly isOptional?: true;
  readonly keep: (record: DerivedClass) => void;
}

export interface WantedFunction {
  readonly kind: 'function';
  readonly name: string;
  /** The file that makes a tool of it. */
  readonly site: string | undefined;
  readonly isOptional?: never;
  readonly keep: (record: DerivedTool) => void;
}

export interface DeriveOptions {
  /** Told in one line when the compiler has to run. */
  readonly log?: (line: string) => void;
}

type Sourced = Wanted & { readonly source: string };

/**
 * Derives records of classes and functions from their sources: from the cache where it is still good, the others by
 * one run of the compiler.
 *
 * @throws {SchemaMissingError} in production, without @adorn/compiler, or where a source is not found
 * @throws {DerivationFailedError} if the compiler fails
 * @throws {CompilerFaultError} if the compiler reports faults
 */
export async function deriveOnDemand(wanted: readonly Wanted[], { log }: DeriveOptions = {}): Promise<void> {
  if (process.env['NODE_ENV'] === 'production') {
    refuse(wanted, 'in production it is not derived, and "adorn build" has not written it');
    return;
  }
  const sourced = await withSources(wanted);
  if (sourced.length === 0) return;
  const compiler = await findCompiler(sourced[0]?.source ?? process.cwd());
  if (compiler === undefined) {
    refuse(wanted, '@adorn/compiler is not installed, or not built');
    return;
  }
  const files = await derivedFiles(sourced, compiler, log);
  keepRecords(sourced, files);
}

async function withSources(wanted: readonly Wanted[]): Promise<Sourced[]> {
  const found = await Promise.all(
    wanted.map(async (one) => ({
      ...one,
      source: one.site && (await sourceOf(one.site, one.name, one.kind)),
    })),
  );
  const isLost = ({ source }: (typeof found)[number]): boolean => source === undefined || source === '';
  refuse(found.filter(isLost), whyLost);
  return found.filter((one) => !isLost(one)) as Sourced[];
}

function whyLost({ kind, site }: Wanted): string {
  if (site !== undefined)
    return `no source, or more than one, that declares it was found for ${site}: see its source map, and whether names are shortened`;
  return `no ${kind === 'class' ? 'decorator' : 'call of defineTool and no agent'} told where its source is`;
}

async function derivedFiles(
  wanted: readonly Sourced[],
  compiler: Compiler,
  log: DeriveOptions['log'],
): Promise<ReadonlyMap<string, DerivedFile>> {
  const cache = new DerivationCache(compiler.identity);
  const sources = [...new Set(wanted.map(({ source }) => source))];
  const files = await cache.findAll(sources);
  for (const one of wanted) if (mayBeCured(one, files.get(one.source))) files.delete(one.source);
  const missed = sources.filter((source) => !files.has(source));
  if (missed.length === 0) return files;
  log?.(
    `Deriving the schemas of tools in ${String(missed.length)} source file${missed.length === 1 ? '' : 's'}.`,
  );
  const answer = await runCompiler(compiler, missed);
  for (const source of missed) {
    const file = fileIn(answer[source]);
    files.set(source, file);
    await cache.keep(source, file);
  }
  return files;
}

/** Whether a fault that was kept may not hold any more though nothing changed that it was derived from. */
function mayBeCured({ name }: Sourced, file: DerivedFile | undefined): boolean {
  return ownValue(file?.faults, name)?.isUnresolved === true;
}

function fileIn(answer: DerivedFile | { readonly error: DerivationFault } | undefined): DerivedFile {
  if (answer === undefined)
    throw new DerivationFailedError(
      'The compiler returned no result for a source file. Check that all @adorn packages have the same version.',
    );
  if ('error' in answer) throw new CompilerFaultError([answer.error]);
  return answer;
}

function keepRecords(wanted: readonly Sourced[], files: ReadonlyMap<string, DerivedFile>): void {
  const required = wanted.filter(({ isOptional }) => isOptional !== true);
  const faults = required.flatMap(({ name, source }) => ownValue(files.get(source)?.faults, name) ?? []);
  if (faults.length > 0) throw new CompilerFaultError(faults);
  refuse(
    wanted.filter((one) => !keepRecord(one, files.get(one.source))),
    whyNotThere,
  );
}

function keepRecord(one: Wanted, file: DerivedFile | undefined): boolean {
  return one.kind === 'class'
    ? kept(one, ownValue(file?.classes, one.name))
    : kept(one, ownValue(file?.functions, one.name));
}

function kept<Derived>(
  { keep }: { readonly keep: (record: Derived) => void },
  record: Derived | undefined,
): boolean {
  if (record !== undefined) keep(record);
  return record !== undefined;
}

function whyNotThere({ kind, source }: Sourced): string {
  return kind === 'class'
    ? `${source} has no such class with decorators`
    : `${source} does not certainly make a tool of it. Write defineTool({ name, run }) there`;
}

function ownValue<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Throws for those that are not optional. */
function refuse<One extends Wanted>(lost: readonly One[], why: string | ((one: One) => string)): void {
  const required = lost.filter(({ isOptional }) => isOptional !== true);
  if (required.length === 0) return;
  throw new SchemaMissingError(
    required.map((one) => explained(one, typeof why === 'string' ? why : why(one))),
  );
}

function explained(one: Wanted, why: string): MissingSchema {
  const methods = one.kind === 'class' ? (one.methods ?? []) : [];
  return { kind: one.kind, name: one.name, methods, why };
}
