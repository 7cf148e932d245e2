import { AdornError } from '@adorn/core';
import MagicString, { type SourceMap } from 'magic-string';

import { FoundRecords } from '../emit/found-records.js';
import { dependencyPaths } from '../program/dependencies.js';
import { BundledProjects } from './bundled-projects.js';
import { sourceTarget } from './source-target.js';

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

  /** Something has changed: a file, a tsconfig, or which files there are. */
  expire(): void {
    this.projects.expire();
  }

  /**
   * Undefined where there is nothing to put in, or where the bundler was told what is wrong.
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

  /** All that the file depends on is watched before anything can fail: a change there may mend it. */
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
