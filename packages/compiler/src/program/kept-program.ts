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

  /** The program and its checker, created at the first use after a change. */
  get world(): CheckerContext {
    this.known ??= this.makeWorld();
    return this.known;
  }

  /** Call after a file or the tsconfig may have changed. */
  renew(project: Project): void {
    const settings = settingsOf(project);
    if (settings !== this.settings) this.sources = new KeptSources();
    this.settings = settings;
    this.current = project;
    this.known = undefined;
  }

  /**
   * The current file on disk, even if its change was not reported.
   *
   * @throws DerivationFailedError if it does not exist
   */
  sourceOf(path: string): ts.SourceFile {
    const source = this.known?.program.getSourceFile(path);
    if (source && source.text === ts.sys.readFile(path)) return source;
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

/** The text of a tsconfig and those that it extends. */
function settingsOf({ configFiles }: Project): string {
  return JSON.stringify(configFiles.map((path) => ts.sys.readFile(path)));
}

type ReadSource = ts.CompilerHost['getSourceFile'];

interface KeptSource {
  readonly version: string;
  readonly file: ts.SourceFile | undefined;
}

/** The parsed files of a project, reused by its successive programs. */
export class KeptSources {
  private readonly files = new Map<string, KeptSource>();

  /** Wraps the function so that unchanged files are not parsed again. */
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
  return stats ? [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(' ') : 'none';
}
