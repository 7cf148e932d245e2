import { dirname, resolve } from 'node:path';

import { DerivationFailedError } from '../errors/errors.js';
import { ts } from '../typescript.js';
import { configFile } from './config-file.js';
import { UNKNOWN_VALUE } from './extraction-options.js';
import { shownPath } from './shown-path.js';

/** A tsconfig with everything it extends. */
export interface Project {
  /** Absent for the default settings of files without a tsconfig. */
  readonly path?: string;
  readonly config: ts.ParsedCommandLine;
  /** The tsconfig itself and those it extends. */
  readonly configFiles: readonly string[];
}

/** @throws DerivationFailedError where the file cannot be read or says something impossible */
export function readProject(path: string): Project {
  const config = ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (!config) throw new DerivationFailedError(`There is no tsconfig at ${shownPath(path)}. Check the path.`);
  const serious = ts.getConfigFileParsingDiagnostics(config).find(({ code }) => !BEARABLE.has(code));
  if (serious) fail(serious);
  const source = (config.options as { configFile?: ts.TsConfigSourceFile }).configFile;
  return { path, config, configFiles: [path, ...(source?.extendedSourceFiles ?? [])] };
}

/**
 * A tsconfig with only references has no inputs (18003). Options and values that are unknown (5023, 5025, 6046) or
 * have another type (5024) may belong to a later TypeScript; the user's TypeScript reports faults in them.
 */
const BEARABLE = new Set([18003, 5023, 5024, 5025, UNKNOWN_VALUE]);

function fail(diagnostic: ts.Diagnostic): never {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  const where = diagnostic.file ? ` in ${shownPath(diagnostic.file.fileName)}` : '';
  throw new DerivationFailedError(`The tsconfig is not valid${where}: ${text}`);
}

/**
 * The project whose tsconfig, in the file's folder or above it, includes the file, directly or by a reference.
 * A file that none includes, such as a spec, has the settings of the nearest one; without any, sane settings.
 */
export function projectOf(file: string, read: ReadProject = readProject): Project {
  const above = configsAbove(dirname(file));
  for (const path of above) {
    const found = including(file, path, read, new Set());
    if (found) return found;
  }
  const [nearest] = above;
  return nearest === undefined ? { config: defaults(file), configFiles: [] } : read(nearest);
}

/** Reads a tsconfig, or returns the cached one. */
type ReadProject = (path: string) => Project;

/** Reads a tsconfig, and which files it includes, when it is first asked for: good for one piece of work. */
export function readingOnce(): ReadProject {
  const known = new Map<string, Project>();
  return (path) => {
    const project = known.get(path) ?? readProject(path);
    known.set(path, project);
    return project;
  };
}

/** The project of the tsconfig, or of one that it refers to, which includes the file; else that of the tsconfig. */
export function projectBelow(config: string, file: string, read: ReadProject = readProject): Project {
  return including(file, config, read, new Set()) ?? read(config);
}

function configsAbove(folder: string): string[] {
  const path = ts.findConfigFile(folder, (name) => ts.sys.fileExists(name));
  if (path === undefined) return [];
  const next = dirname(dirname(path));
  return next === dirname(path) ? [path] : [path, ...configsAbove(next)];
}

function including(file: string, path: string, read: ReadProject, seen: Set<string>): Project | undefined {
  if (seen.has(path)) return undefined;
  seen.add(path);
  const project = read(path);
  if (includes(project, file)) return project;
  for (const reference of project.config.projectReferences ?? []) {
    const found = including(file, ts.resolveProjectReferencePath(reference), read, seen);
    if (found) return found;
  }
  return undefined;
}

/** True if the tsconfig itself includes the file. */
export function includes({ config }: Project, file: string): boolean {
  const wanted = file.replaceAll('\\', '/');
  return config.fileNames.includes(wanted);
}

function defaults(file: string): ts.ParsedCommandLine {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    types: ['node'],
    experimentalDecorators: true,
  };
  return { options, fileNames: [file], errors: [] };
}

/** A tsconfig's project and, through its references, all others that it builds; those referred to come first. */
export function readProjectTree(project: string): readonly Project[] {
  const found = new Map<string, Project>();
  const visit = (path: string): void => {
    const file = configFile(path);
    if (found.has(file)) return;
    const read = readProject(file);
    found.set(file, read);
    for (const reference of read.config.projectReferences ?? [])
      visit(ts.resolveProjectReferencePath(reference));
  };
  visit(resolve(project));
  return [...found.values()].reverse();
}
