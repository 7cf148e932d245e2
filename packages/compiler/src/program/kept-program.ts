import { statSync } from 'node:fs';

import type { CheckerContext } from '../schema/checker-context.js';
import { ts } from '../typescript.js';
import { createProgram, sourcesOf } from './create-program.js';
import { includes, type Project } from './read-project.js';
import { requireSource } from './require-source.js';

/**
 * The program of a project whose files are looked at again and again. It is made when it is first needed, and made
 * again when something has changed; a file that has not is parsed once.
 */
export class KeptProgram {
  /** Files that no tsconfig includes. */
  private readonly strays = new Set<string>();
  private sources = new KeptSources();
  private known?: CheckerContext;
  private settings: string;

  constructor(private current: Project) {
    this.settings = settingsOf(current);
  }

  get project(): Project {
    return this.current;
  }

  /** The types, as they were when they were first asked for since the last change. */
  get world(): CheckerContext {
    this.known ??= this.makeWorld();
    return this.known;
  }

  /** Something may have changed: a file, or what the tsconfig says. */
  renew(project: Project): void {
    const settings = settingsOf(project);
    if (settings !== this.settings) this.sources = new KeptSources();
    this.settings = settings;
    this.current = project;
    this.known = undefined;
  }

  /**
   * A file as it is on disk, whether or not a change was told.
   *
   * @throws DerivationFailedError where it is not there
   */
  sourceOf(path: string): ts.SourceFile {
    const source = this.known?.program.getSourceFile(path);
    if (source !== undefined && source.text === ts.sys.readFile(path)) return source;
    if (!includes(this.current, path)) this.strays.add(path);
    this.known = undefined;
    return requireSource(path, this.world);
  }

  private makeWorld(): CheckerContext {
    const files = [...sourcesOf(this.current), ...this.strays];
    const program = createProgram(this.current, files, this.sources);
    return { program, checker: program.getTypeChecker() };
  }
}

/** What a tsconfig and those that it extends say, apart from the files that they include. */
function settingsOf({ configFiles }: Project): string {
  return JSON.stringify(configFiles.map((path) => ts.sys.readFile(path)));
}

type ReadSource = ts.CompilerHost['getSourceFile'];

interface KeptSource {
  readonly version: string;
  readonly file: ts.SourceFile | undefined;
}

/** The parsed files of a project, for the programs that are made of it one after the other. */
export class KeptSources {
  private readonly files = new Map<string, KeptSource>();

  /** Reads as the given function does, but for a file that is as it was when it was last read. */
  reading(read: ReadSource): ReadSource {
    return (name, settings, ...rest) => {
      const key = `${name} ${JSON.stringify(settings)}`;
      const kept = this.files.get(key);
      const version = versionOf(name);
      if (kept?.version === version) return kept.file;
      const file = read(name, settings, ...rest);
      this.files.set(key, { version, file });
      return file;
    };
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ');
}
