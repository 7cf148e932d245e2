import { statSync } from 'node:fs';

import { type CacheKey, entriesOf, writeEntry } from '../cache/cache-folder.js';
import { FileHashes, type Hashes, hashOf } from '../cache/file-hashes.js';
import { compilerOf } from '../on-demand/run-compiler.js';
import { type ProjectSources, sourceFilesIn } from '../program/project-sources.js';
import { type BuildReport, reportOf } from './build-report.js';
import type { BuildPlan } from './plan-build.js';

/** Raised when the form of a stamp or of a record changes. */
const FORMAT = 1;

/** What a build read and what it left, by content: the next one has nothing to do where all of it is the same. */
interface Stamp {
  readonly format: number;
  readonly compiler: string;
  readonly tsconfig: string;
  readonly hashes: Hashes;
  readonly sources: readonly ProjectSources[];
  /** The files in the folders of the sources: another one may have tools. */
  readonly names: readonly string[];
  readonly report: BuildReport;
}

/** The report of the last build if everything that it read and wrote is still the same. */
export function findStamped(tsconfig: string): BuildReport | undefined {
  const compiler = compilerOf(import.meta.url).identity;
  for (const entry of entriesOf(keyOf(tsconfig))) {
    if (!isStamp(entry) || entry.compiler !== compiler || entry.tsconfig !== tsconfig) continue;
    const isSame = new FileHashes().areAll(entry.hashes) && isSameList(entry.names, namesIn(entry.sources));
    if (isSame) return entry.report;
  }
  return undefined;
}

/** Notes a build that succeeded, unless something that it read was written meanwhile. */
export async function stamp(tsconfig: string, { files, read, sources }: BuildPlan): Promise<void> {
  const startedAt = Math.min(...sources.map(({ readAt }) => readAt));
  const names = namesIn(sources);
  if ([...read, ...names].some((path) => changedAt(path) >= startedAt)) return;
  const hashes = new FileHashes();
  const entry: Stamp = {
    format: FORMAT,
    compiler: compilerOf(import.meta.url).identity,
    tsconfig,
    hashes: Object.fromEntries([
      ...read.map((path) => [path, hashes.hashOf(path) ?? ''] as const),
      ...files.map(({ path, after }) => [path, hashOf(after)] as const),
    ]),
    sources,
    names,
    report: reportOf(files),
  };
  await writeEntry(keyOf(tsconfig), entry);
}

function keyOf(tsconfig: string): CacheKey {
  return { file: tsconfig, ending: '.build.json' };
}

function isStamp(value: unknown): value is Stamp {
  if (typeof value !== 'object' || value === null) return false;
  const { format, hashes, sources, names, report } = value as Partial<Stamp>;
  return (
    format === FORMAT &&
    hashes !== undefined &&
    report !== undefined &&
    Array.isArray(sources) &&
    Array.isArray(names)
  );
}

function namesIn(sources: readonly ProjectSources[]): string[] {
  return [...new Set(sources.flatMap(sourceFilesIn))].sort();
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** Milliseconds since the epoch; for a file that has gone, now. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? Infinity;
}
