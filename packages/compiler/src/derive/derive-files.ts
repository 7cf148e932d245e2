import { AdornError } from '@adorn/core';
import type { DerivationFault, DerivedClass, DerivedTool } from '@adorn/core/compiler';

import type { Hashes } from '../cache/file-hashes.js';
import { SeveralFaultsError, TypeNotRepresentableError } from '../errors/errors.js';
import { findAskingClasses } from '../extract/class-services.js';
import { extractClass } from '../extract/extract-class.js';
import { extractTool } from '../extract/extract-tool.js';
import { findClasses, type Named, onlyOneNamed } from '../extract/find-classes.js';
import { findFunctions } from '../extract/find-functions.js';
import { createProgram } from '../program/create-program.js';
import { dependenciesOf, shapesOf } from '../program/dependencies.js';
import { type ProjectSources, projectSourcesOf } from '../program/project-sources.js';
import { type Project, projectOf, readingOnce } from '../program/read-project.js';
import { requireSource } from '../program/require-source.js';
import type { CheckerContext } from '../schema/checker-context.js';

/** The records of one file. A fault of one class or function does not affect the others. */
export interface DerivedFile {
  readonly dependencies: Hashes;
  /** The shapes of the sources among them. */
  readonly shapes: Hashes;
  readonly sources: ProjectSources;
  /** By the name of the class. */
  readonly classes: Readonly<Record<string, DerivedClass>>;
  /** By the name of the function, or of the tool that it is the `run` of. */
  readonly functions: Readonly<Record<string, DerivedTool>>;
  /** Why there is no record, by the name of the class or function. */
  readonly faults: Readonly<Record<string, DerivationFault>>;
}

/** By path of the file. */
export type DerivationAnswer = Readonly<Record<string, DerivedFile | { readonly error: DerivationFault }>>;

/** Derives the records of all classes of the files; one program serves all files of one tsconfig. */
export function deriveFiles(files: readonly string[]): DerivationAnswer {
  const answers: Record<string, DerivedFile | { readonly error: DerivationFault }> = {};
  const projects = new Map<string, { readonly project: Project; readonly files: string[] }>();
  const read = readingOnce();
  const readAt = Date.now();
  for (const file of files) {
    const project = attempt(() => projectOf(file, read));
    if ('error' in project) {
      answers[file] = project;
      continue;
    }
    const key = project.path ?? '';
    const group = projects.get(key) ?? { project, files: [] };
    projects.set(key, { ...group, files: [...group.files, file] });
  }
  for (const group of projects.values()) {
    const program = createProgram(group.project, group.files);
    const world = { program, checker: program.getTypeChecker() };
    const sources = projectSourcesOf(group.project, readAt);
    for (const file of group.files) {
      answers[file] = attempt(() => ({ ...deriveFile(file, group.project, world), sources }));
    }
  }
  return answers;
}

function deriveFile(path: string, project: Project, world: CheckerContext): Omit<DerivedFile, 'sources'> {
  const file = requireSource(path, world);
  const classes = extractAll('classes', findClasses(file, world), (one) => extractClass(one, world).record);
  const asking = findAskingClasses(file, world);
  const askers = extractAll('classes', asking, (one) => extractClass(one, world).record);
  const functions = extractAll(
    'functions',
    findFunctions(file, world),
    (one) => extractTool(one, world).tool,
  );
  return {
    dependencies: dependenciesOf(file, world.program, project),
    shapes: shapesOf(file, world.program),
    classes: { ...askers.records, ...withoutServicesOf(asking, classes.records) },
    functions: functions.records,
    faults: { ...functions.faults, ...classes.faults },
  };
}

/** Records are found by name, so what one says of services may be about another class of that name. */
function withoutServicesOf(
  others: readonly Named[],
  records: Readonly<Record<string, DerivedClass>>,
): Record<string, DerivedClass> {
  const taken = new Set(others.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(records).map(([name, { services, ...record }]) => [
      name,
      !services || taken.has(name) ? record : { ...record, services },
    ]),
  );
}

/** Records by name, and the faults of declarations without a record. */
function extractAll<Found extends Named, Extracted extends object>(
  kind: string,
  found: readonly Found[],
  extract: (one: Found) => Extracted,
): { records: Record<string, Extracted>; faults: Record<string, DerivationFault> } {
  const records: Record<string, Extracted> = {};
  const faults: Record<string, DerivationFault> = {};
  for (const one of found) {
    const result = attempt(() => extract(onlyOneNamed(one, kind, found)));
    if ('error' in result) faults[one.name] = result.error;
    else records[one.name] = result;
  }
  return { records, faults };
}

function attempt<Result>(work: () => Result): Result | { readonly error: DerivationFault } {
  try {
    return work();
  } catch (error) {
    if (AdornError.is(error)) {
      const unresolved = isUnresolved(error) && ({ isUnresolved: true } as const);
      return { error: { code: error.code, message: error.message, ...unresolved } };
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      error: { code: 'DERIVATION_FAILED', message: `The compiler failed: ${text}`, isUnresolved: true },
    };
  }
}

function isUnresolved(error: AdornError): boolean {
  const faults = error instanceof SeveralFaultsError ? error.faults : [error];
  return faults.some((fault) => fault instanceof TypeNotRepresentableError && fault.isUnresolved);
}
