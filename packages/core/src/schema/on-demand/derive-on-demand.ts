import type { ClassReference } from '../../metadata/class-metadata.js';
import type { DerivedClass } from '../derived-class.js';
import { DerivationCache } from './derivation-cache.js';
import { DerivationFailedError } from './derivation-failed.error.js';
import type { DerivationFault, DerivedFile } from './derived-file.js';
import { type Compiler, findCompiler, runCompiler } from './run-compiler.js';
import { SchemaMissingError } from './schema-missing.error.js';
import { sourceOf } from './source-of.js';

/** A class whose record is wanted. */
export interface WantedClass {
  readonly target: ClassReference;
  /** The file in which it was decorated, as {@link declarationSite} saw it. */
  readonly site: string | undefined;
  /** Its tool methods, for the error that says it has no schema. */
  readonly methods?: readonly string[];
}

export interface DeriveOptions {
  /** Told in one line when the compiler has to run. */
  readonly log?: (line: string) => void;
}

interface Sourced extends WantedClass {
  readonly source: string;
}

/**
 * Derives the records of classes from their sources: from the cache where it is still good, the others by one
 * run of the compiler.
 *
 * @throws {SchemaMissingError} in production, without @adorn/compiler, or where a source is not found
 * @throws {DerivationFailedError} where the compiler fails or refuses a type; the code is then the compiler's
 */
export async function deriveOnDemand(
  wanted: readonly WantedClass[],
  { log }: DeriveOptions = {},
): Promise<ReadonlyMap<ClassReference, DerivedClass>> {
  const [first] = wanted;
  if (first === undefined) return new Map();
  if (process.env['NODE_ENV'] === 'production') {
    throw missing(wanted, 'in production they are not derived, and "adorn build" has not written them');
  }
  const sourced = await withSources(wanted);
  const compiler = await findCompiler(sourced[0]?.source ?? process.cwd());
  if (compiler === undefined) throw missing(wanted, '@adorn/compiler is not installed, or not built');
  const files = await derivedFiles([...new Set(sourced.map(({ source }) => source))], compiler, log);
  return recordsOf(sourced, files);
}

async function withSources(wanted: readonly WantedClass[]): Promise<Sourced[]> {
  const found = await Promise.all(
    wanted.map(async (one) => ({ ...one, source: one.site && (await sourceOf(one.site, one.target.name)) })),
  );
  const lost = found.filter(({ source }) => source === undefined || source === '');
  if (lost.length > 0) throw new SchemaMissingError(lost.map((one) => explained(one, whyLost(one))));
  return found as Sourced[];
}

function whyLost({ site }: WantedClass): string {
  return site === undefined
    ? 'no decorator told where their source is'
    : `no source, or more than one, that declares it was found for ${site}: see its source map, and whether names are shortened`;
}

async function derivedFiles(
  sources: readonly string[],
  compiler: Compiler,
  log: DeriveOptions['log'],
): Promise<ReadonlyMap<string, DerivedFile>> {
  const cache = new DerivationCache(compiler.identity);
  const files = await cache.findAll(sources);
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

function fileIn(answer: DerivedFile | { readonly error: DerivationFault } | undefined): DerivedFile {
  if (answer === undefined)
    throw new DerivationFailedError('The compiler left a source file out of its answer.');
  if ('error' in answer) throw DerivationFailedError.of([answer.error]);
  return answer;
}

function recordsOf(
  wanted: readonly Sourced[],
  files: ReadonlyMap<string, DerivedFile>,
): ReadonlyMap<ClassReference, DerivedClass> {
  const faults = wanted.flatMap(
    ({ target, source }) => ownValue(files.get(source)?.faults, target.name) ?? [],
  );
  if (faults.length > 0) throw DerivationFailedError.of(faults);
  const found = wanted.map((one) => ({
    one,
    record: ownValue(files.get(one.source)?.classes, one.target.name),
  }));
  const lost = found.filter(({ record }) => record === undefined);
  if (lost.length > 0) {
    throw new SchemaMissingError(
      lost.map(({ one }) => explained(one, `there is no such class with decorators in ${one.source}`)),
    );
  }
  return new Map(
    found.flatMap(({ one, record }) => (record === undefined ? [] : [[one.target, record] as const])),
  );
}

function ownValue<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

function missing(wanted: readonly WantedClass[], why: string): SchemaMissingError {
  return new SchemaMissingError(wanted.map((one) => explained(one, why)));
}

function explained(
  { target, methods = [] }: WantedClass,
  why: string,
): { className: string; methods: readonly string[]; why: string } {
  return { className: target.name, methods, why };
}
