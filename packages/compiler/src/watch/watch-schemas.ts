import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { FSWatcher } from 'chokidar';

import { DerivationFailedError } from '../errors/errors.js';
import { configFile } from '../program/config-file.js';
import { Changes } from './changes.js';
import { ContinuousBuild } from './continuous-build.js';
import { WatchReporter, type WatchRound } from './watch-reporter.js';
import { WatchScope } from './watch-scope.js';

export interface WatchOptions {
  /** A tsconfig, or the folder with `tsconfig.json`. Referenced projects are built too. */
  readonly project: string;
  /** Called for the first round, and for each that wrote files or whose faults changed. */
  readonly onRound: (round: WatchRound) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for tsc before faults of an emitted file are reported. Default: 5000. */
  readonly patience?: number;
}

/**
 * Runs `buildSchemas` now and whenever a source, a tsconfig or an emitted file changes, until the signal aborts. A fault
 * in one file does not stop the others from being written.
 *
 * @throws DerivationFailedError if there is no tsconfig, or files cannot be watched
 */
export async function watchSchemas(options: WatchOptions): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const watch = new SchemaWatch({ ...options, signal }, (error) => failed.abort(error));
  try {
    await watch.run();
  } finally {
    await watch.close();
  }
  failed.signal.throwIfAborted();
}

/** The cause of the next round. */
type Occasion = 'change' | 'patience is over' | 'none';

class SchemaWatch {
  private readonly build: ContinuousBuild;
  private readonly reporter = new WatchReporter();
  private readonly changes = new Changes();
  private readonly watchers: Watchers;

  constructor(
    private readonly options: WatchOptions,
    failed: (error: unknown) => void,
  ) {
    this.build = new ContinuousBuild(configFile(resolve(options.project)).replaceAll('\\', '/'));
    this.watchers = new Watchers((event, path) => this.changes.note(event, path), failed);
  }

  async run(): Promise<void> {
    const { signal, onRound } = this.options;
    this.build.renew();
    while (!signal.aborted) {
      const occasion = this.watchers.covers(this.build.scope)
        ? await this.nextChange()
        : await this.lookWider();
      if (occasion === 'none') continue;
      const round = this.reporter.report(this.build.write(), occasion === 'patience is over');
      if (round) onRound(round);
    }
  }

  close(): Promise<void> {
    return this.watchers.close();
  }

  /** Reads the changes made before the watchers were ready. */
  private async lookWider(): Promise<Occasion> {
    await this.watchers.watch(this.build.scope);
    this.build.renew();
    return this.options.signal.aborted ? 'none' : 'change';
  }

  private async nextChange(): Promise<Occasion> {
    const { signal, patience = 5000 } = this.options;
    await this.changes.settled(signal, this.reporter.holdsBack ? patience : undefined);
    const changes = this.changes.take();
    if (signal.aborted) return 'none';
    if (changes.length === 0) return 'patience is over';
    if (changes.some((change) => this.build.isOutdatedBy(change))) this.build.renew();
    else if (!changes.some((change) => this.build.isUndoneBy(change))) return 'none';
    return 'change';
  }
}

/** Watches a project's files, and replaces the watchers when the set of files changes. */
class Watchers {
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
