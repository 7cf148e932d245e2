import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { ToolError } from 'adorn';

import { UsageError } from '../usage.error.js';

/** The documents that the package `adorn` brings along, of the version that this command belongs to. */
export class DocumentFolder {
  /** Paths of the pages, such as `how/tool-call.md`, sorted. */
  readonly pages: readonly string[];
  private readonly files: ReadonlySet<string>;

  /** @throws {UsageError} if the folder has no documents */
  constructor(private readonly folder: string = defaultFolder()) {
    if (!existsSync(join(folder, 'llms.txt')))
      throw new UsageError(`There are no documents in ${folder}. Install the package adorn again.`);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
    this.files = new Set(paths);
    this.pages = paths.filter((path) => path.endsWith('.md')).sort();
  }

  /** @throws {ToolError} if there is no such page or program */
  read(path: string): string {
    const wanted = path.replace(/^\.?\//, '').replace(/#.*$/, '');
    if (this.files.has(wanted)) return readFileSync(join(this.folder, wanted), 'utf8');
    throw new ToolError(
      `There is no document "${path}". "llms.txt" lists all pages; search_documents finds them by words.`,
    );
  }
}

function defaultFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('adorn/package.json')), 'docs');
}
