import { realpathSync } from 'node:fs';

import { AdornError } from '@adorn/core';
import MagicString, { type SourceMap } from 'magic-string';

import { EmittedTarget } from '../emit/emitted-target.js';
import { FoundRecords } from '../emit/found-records.js';
import type { NamedValue } from '../emit/named-value.js';
import type { RecordTarget } from '../emit/planned-file.js';
import type { FoundClass } from '../extract/find-classes.js';
import { configFile } from '../program/config-file.js';
import { dependencyPaths } from '../program/dependencies.js';
import { KeptProgram } from '../program/kept-program.js';
import { type Project, projectBelow, projectOf, readingOnce } from '../program/read-project.js';
import { ts } from '../typescript.js';

/** The result for the bundler. */
export interface TransformedSource {
  readonly code: string;
  readonly map: SourceMap;
}

/** The plugin context of a bundler. */
export interface Bundler {
  addWatchFile(path: string): void;
  error(message: string): void;
}

/** Puts the records of sources into their text, as `adorn build` does into what was emitted for them. */
export class SourceTransformer {
  private readonly projects: BundledProjects;

  constructor(project: string | undefined) {
    this.projects = new BundledProjects(project);
  }

  /** Call after a change of a file, of a tsconfig or of the set of files. */
  expire(): void {
    this.projects.expire();
  }

  /**
   * Undefined if there is nothing to insert, or after an error was reported to the bundler.
   *
   * @param text what the bundler has of the file, which other plugins may have changed
   */
  transform(path: string, text: string, bundler: Bundler): TransformedSource | undefined {
    try {
      return this.withRecords(path, text, bundler);
    } catch (error) {
      if (!AdornError.is(error)) throw error;
      bundler.error(`${error.message} (${error.code})`);
      return undefined;
    }
  }

  /** Watches the file's dependencies before anything can fail: a change there may fix the fault. */
  private withRecords(path: string, text: string, bundler: Bundler): TransformedSource | undefined {
    const program = this.projects.programOf(path);
    const source = program.sourceOf(path);
    const { world, project } = program;
    const found = new FoundRecords(source, world);
    if (found.isEmpty) return undefined;
    for (const file of dependencyPaths(source, world.program, project)) bundler.addWatchFile(file);
    const edited = new MagicString(text);
    for (const insertion of found.insertionsInto(sourceTarget(source, text)))
      edited.appendLeft(insertion.position, insertion.text);
    const map = edited.generateMap({ source: path, includeContent: true, hires: 'boundary' });
    return { code: edited.toString(), map };
  }
}

/** The projects to which the files of a bundle belong, each with its program. */
class BundledProjects {
  private readonly programs = new Map<string, KeptProgram>();
  private read = readingOnce();

  /** @param chosen a tsconfig, or the folder that holds `tsconfig.json`; default: the one that includes the file */
  constructor(private readonly chosen?: string) {}

  /** @throws DerivationFailedError where a tsconfig is not usable */
  programOf(file: string): KeptProgram {
    const project = this.projectOf(file);
    const key = project.path ?? file;
    const program = this.programs.get(key) ?? new KeptProgram(project);
    this.programs.set(key, program);
    if (program.project !== project) program.renew(project);
    return program;
  }

  /** Call after a change of a file, of a tsconfig or of the set of files. */
  expire(): void {
    this.read = readingOnce();
  }

  private projectOf(file: string): Project {
    if (this.chosen === undefined) return projectOf(file, this.read);
    return projectBelow(realpathSync(configFile(this.chosen)), file, this.read);
  }
}

/** The target of a source's records: the bundler's text of the source. */
function sourceTarget(source: ts.SourceFile, text: string): RecordTarget {
  return text === source.text ? new UntouchedSource() : changedSource(source, text);
}

/** The source itself: classes and calls are unchanged, names are written the same. */
class UntouchedSource implements RecordTarget {
  classFor({ node }: FoundClass): ts.ClassLikeDeclaration {
    return node;
  }

  callFor(source: ts.CallExpression): ts.CallExpression {
    return source;
  }

  expressionFor({ written }: NamedValue): string {
    return written.getText();
  }
}

const FIRST = 'Put adorn() before the plugins that change the file';

/** Types come from the file on disk; its classes are matched in the text changed by other plugins. */
function changedSource(source: ts.SourceFile, text: string): RecordTarget {
  const code = ts.createSourceFile(source.fileName, text, ts.ScriptTarget.ESNext, true);
  const path = `${source.fileName}, as the plugins before Adorn's left it,`;
  return new EmittedTarget(
    source,
    { path, text, code },
    {
      classInDoubt: `${FIRST}, and give classes with equal methods names of their own.`,
      otherParameters: `${FIRST}.`,
    },
  );
}
