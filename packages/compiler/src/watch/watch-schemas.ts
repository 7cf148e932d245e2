import { resolve } from 'node:path';

import { configFile } from '../program/config-file.js';
import { Changes } from './changes.js';
import { ContinuousBuild } from './continuous-build.js';
import { RoundNews, type WatchRound } from './round-news.js';
import { Watchers } from './watchers.js';

export interface WatchOptions {
  /** A tsconfig, or the folder that holds `tsconfig.json`. The projects it refers to are built too. */
  readonly project: string;
  /** Told of the first round, and of each that did something or found something else wrong. */
  readonly told: (round: WatchRound) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** How many milliseconds tsc has to mend an emitted file before what is wrong with it is told. Default: 5000. */
  readonly patience?: number;
}

/**
 * Does what `buildSchemas` does, and does it again whenever a source, a tsconfig or an emitted file changes, until the
 * signal aborts. A fault is told and leaves the other files alone; the next change may mend it.
 *
 * @throws DerivationFailedError where there is no tsconfig, or where files cannot be watched
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

/** Why there is to be a round, if there is. */
type Occasion = 'change' | 'patience is over' | 'none';

class SchemaWatch {
  private readonly build: ContinuousBuild;
  private readonly news = new RoundNews();
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
    const { signal, told } = this.options;
    this.build.renew();
    while (!signal.aborted) {
      const occasion = this.watchers.covers(this.build.scope)
        ? await this.nextChange()
        : await this.lookWider();
      if (occasion === 'none') continue;
      const news = this.news.of(this.build.write(), occasion === 'patience is over');
      if (news !== undefined) told(news);
    }
  }

  close(): Promise<void> {
    return this.watchers.close();
  }

  /** What changed before the watchers were there is read now. */
  private async lookWider(): Promise<Occasion> {
    await this.watchers.watch(this.build.scope);
    this.build.renew();
    return this.options.signal.aborted ? 'none' : 'change';
  }

  private async nextChange(): Promise<Occasion> {
    const { signal, patience = 5000 } = this.options;
    await this.changes.settled(signal, this.news.holdsBack ? patience : undefined);
    const changes = this.changes.take();
    if (signal.aborted) return 'none';
    if (changes.length === 0) return 'patience is over';
    if (changes.some((change) => this.build.isOutdatedBy(change))) this.build.renew();
    else if (!changes.some((change) => this.build.isUndoneBy(change))) return 'none';
    return 'change';
  }
}
