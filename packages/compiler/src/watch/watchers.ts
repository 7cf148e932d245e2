import type { FSWatcher } from 'chokidar';
import { existsSync } from 'node:fs';

import { DerivationFailedError } from '../errors/errors.js';
import { WatchScope } from './watch-scope.js';

/** What watches a project's files, and others when the project has others. */
export class Watchers {
  private scope = new WatchScope([], []);
  private open?: FSWatcher;

  /**
   * @param changed told of an event, such as `change`, and its file
   * @param failed told why nothing can be watched any more
   */
  constructor(
    private readonly changed: (event: string, path: string) => void,
    private readonly failed: (error: DerivationFailedError) => void,
  ) {}

  covers(scope: WatchScope): boolean {
    return this.scope.covers(scope);
  }

  /** Watches this from now on, and nothing else. */
  async watch(scope: WatchScope): Promise<void> {
    await this.close();
    this.scope = scope;
    const { watch } = await import('chokidar');
    const open = watch(scope.roots(existsSync), {
      ignoreInitial: true,
      ignored: (path, stats) => isIgnored(scope, path.replaceAll('\\', '/'), stats?.isFile()),
    });
    this.open = open;
    open.on('add', (path) => this.changed('add', path));
    open.on('change', (path) => this.changed('change', path));
    open.on('unlink', (path) => this.changed('unlink', path));
    open.on('error', (error) => this.failed(unwatchable(error)));
    await new Promise<void>((resolve) => open.once('ready', resolve).once('error', () => resolve()));
  }

  async close(): Promise<void> {
    await this.open?.close();
  }
}

/** Before it is known what a path is, it passes where a file or a folder would. */
function isIgnored(scope: WatchScope, path: string, isFile: boolean | undefined): boolean {
  if (isFile === undefined) return !scope.hasFile(path) && !scope.hasFolder(path);
  return isFile ? !scope.hasFile(path) : !scope.hasFolder(path);
}

function unwatchable(cause: unknown): DerivationFailedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DerivationFailedError(
    `The files cannot be watched: ${reason}. Raise the system's limit of watched files, ` +
      'or set CHOKIDAR_USEPOLLING=1 to poll them.',
    { cause },
  );
}
