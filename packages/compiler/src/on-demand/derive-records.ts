import type { OnDemandAnswer, RecordAnswer, RecordRequest } from '@adorn/core/compiler';

import type { DerivationAnswer, DerivedFile } from '../derive/derive-files.js';
import { DerivationCache } from './derivation-cache.js';
import { type Compiler, type CompilerRun, runCompiler, type RunOptions } from './run-compiler.js';
import { sourceOf } from './source-of.js';

/**
 * Derives records of classes and functions from their sources: from the cache where it is still good, the others by
 * one run of the compiler.
 */
export async function deriveRecords(
  requests: readonly RecordRequest[],
  compiler: Compiler,
): Promise<OnDemandAnswer> {
  const sourced: Sourced[] = requests.map((request) => ({
    ...request,
    source: sourceOfRequest(request),
  }));
  const cache = new DerivationCache(compiler.identity);
  const sources = [...new Set(sourced.flatMap(({ source }) => source ?? []))];
  const known = cache.findAll(sources);
  for (const { name, source = '' } of sourced) if (mayBeCured(name, known.get(source))) known.delete(source);
  const run = await deriveMissed(sources, known, compiler, cache);
  if (run.kind === 'failed') return run;
  const files = { ...Object.fromEntries(known), ...run.files };
  return { kind: 'answered', answers: sourced.map((one) => answerTo(one, files)) };
}

/**
 * Derives the records of source files that are not in the cache, by one run of the compiler, so that later processes
 * find them in the cache. Errors of the compiler are not reported here, but by the process that needs the schemas.
 *
 * @returns how many files were derived
 */
export async function warmDerivations(files: readonly string[], compiler: Compiler): Promise<number> {
  const cache = new DerivationCache(compiler.identity);
  const run = await deriveMissed(files, cache.findAll(files), compiler, cache, { words: NOTICE });
  return run.kind === 'failed' ? 0 : Object.keys(run.files).length;
}

const NOTICE = 'adorn: the schemas of tools are being derived before the tests.';

type Sourced = RecordRequest & { readonly source: string | undefined };

function sourceOfRequest({ sites, name, kind }: RecordRequest): string | undefined {
  for (const site of sites) {
    const source = sourceOf(site, name, kind);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Runs the compiler for files that are not cached, and caches the results. */
async function deriveMissed(
  files: readonly string[],
  known: ReadonlyMap<string, DerivedFile>,
  compiler: Compiler,
  cache: DerivationCache,
  options: RunOptions = {},
): Promise<CompilerRun> {
  const missed = files.filter((file) => !known.has(file));
  if (missed.length === 0) return { kind: 'answered', files: {} };
  const run = await runCompiler(compiler, missed, options);
  for (const [file, derived] of Object.entries(run.kind === 'answered' ? run.files : {}))
    if (!('error' in derived)) await cache.keep(file, derived);
  return run;
}

/** Whether a fault that was kept may not hold any more though nothing changed that it was derived from. */
function mayBeCured(name: string, file: DerivedFile | undefined): boolean {
  return ownValue(file?.faults, name)?.isUnresolved === true;
}

function answerTo(request: Sourced, files: DerivationAnswer): RecordAnswer {
  const { kind, name, source } = request;
  const file = source === undefined ? undefined : files[source];
  if (source === undefined || !file) return { kind: 'missing', why: whyLost(request) };
  if ('error' in file) return { kind: 'faulty', fault: file.error };
  const fault = ownValue(file.faults, name);
  if (fault) return { kind: 'faulty', fault };
  const record = ownValue<object>(kind === 'class' ? file.classes : file.functions, name);
  if (!record) return { kind: 'missing', why: whyNotThere(kind, source) };
  return { kind: 'derived', record } as RecordAnswer;
}

function whyLost({ kind, sites }: RecordRequest): string {
  if (sites.length > 0)
    return `no source, or more than one, that declares it was found for ${sites.join(', ')}. Set "sourceMap": true in the compilerOptions of tsconfig.json (a bundler has an option sourcemap), and keep names from being shortened`;
  return `no ${kind === 'class' ? 'decorator' : 'call of defineTool and no agent'} told where its source is`;
}

function whyNotThere(kind: RecordRequest['kind'], source: string): string {
  return kind === 'class'
    ? `${source} has no such class with decorators`
    : `${source} does not certainly make a tool of it. Write defineTool({ name, run }) there`;
}

function ownValue<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}
