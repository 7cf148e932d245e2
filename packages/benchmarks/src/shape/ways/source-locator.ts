import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { SourcePlace } from './count-functions.js';

interface MappedScript {
  readonly map: SourceMap;
  /** The offset at which each line begins. */
  readonly lines: readonly number[];
}

/** Finds the source of a place in a built file, by the source map that the build has written beside it. */
export class SourceLocator {
  private readonly scripts = new Map<string, MappedScript | undefined>();

  /**
   * @param root the root of the repository
   * @param prefix what the paths of wanted sources begin with, such as `packages/core/src/`
   */
  constructor(
    private readonly root: string,
    private readonly prefix: string,
  ) {}

  /** Undefined for code that is not of a wanted source. */
  placeOf(url: string, offset: number): SourcePlace | undefined {
    const script = this.scriptOf(url);
    if (!script) return undefined;
    const line = script.lines.findLastIndex((start) => start <= offset);
    const entry = script.map.findEntry(line, offset - (script.lines[line] ?? 0));
    if (!('originalSource' in entry)) return undefined;
    const source = fileURLToPath(new URL(entry.originalSource, url));
    const path = relative(this.root, source).replaceAll(sep, '/');
    return path.startsWith(this.prefix) ? { path, line: entry.originalLine + 1 } : undefined;
  }

  private scriptOf(url: string): MappedScript | undefined {
    if (!url.startsWith(pathToFileURL(this.root).href)) return undefined;
    if (!this.scripts.has(url)) this.scripts.set(url, readScript(fileURLToPath(url)));
    return this.scripts.get(url);
  }
}

/** Undefined for a file without a map. */
function readScript(path: string): MappedScript | undefined {
  const text = readFileSync(path, 'utf8');
  const [, file] = /^\/\/# sourceMappingURL=(\S+)\s*$/m.exec(text) ?? [];
  if (file === undefined) return undefined;
  const payload = JSON.parse(readFileSync(new URL(file, pathToFileURL(path)), 'utf8')) as SourceMapPayload;
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return { map: new SourceMap(payload), lines };
}
