import { QuietLogger } from '@adorn/conformance/quiet-logger';
import { Clock, ContainerModule, createRunner, Logger, type Runner, SessionService } from '@adorn/core';
import { EffectLedger } from '@adorn/core/backend';
import { Database, SqlEffectLedger, SqlSessionService } from '@adorn/storage';

import { DeedLog } from './deed-log.js';
import { Life } from './life.js';
import { type TreeName, TREES } from './trees.js';

/** Where the processes of a series of rounds meet. */
export interface Place {
  readonly url: string;
  /** The file of the deeds of their tools. */
  readonly deeds: string;
  readonly tree: TreeName;
  readonly appName: string;
}

/** A process, or what stands for one in this process: it shares nothing with others but the place. */
export interface OpenProcess {
  readonly runner: Runner<unknown>;
  readonly sessions: SessionService;
  readonly close: () => Promise<void>;
}

interface ProcessOptions {
  /** How far its clock is ahead, in seconds. */
  readonly later: number;
  readonly life?: Life;
  /** Default: one of its own. */
  readonly database?: Database;
}

/** The options of runs are the defaults, but for the shortest lease: each round waits for it. */
export async function openProcess(place: Place, options: ProcessOptions): Promise<OpenProcess> {
  const { later, life = new Life(), database = openDatabase(place.url) } = options;
  const sessions = life.bounds(new SqlSessionService(database));
  const effects = life.bounds(new SqlEffectLedger(database));
  const deeds = new DeedLog(place.deeds);
  const bindings = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(EffectLedger).toConstantValue(effects);
    bind(Clock).toConstantValue(new LaterClock(later));
    bind(Logger).toConstantValue(new QuietLogger());
  });
  const runner = await createRunner(TREES[place.tree]({ deeds, life }), {
    appName: place.appName,
    modules: [bindings],
    config: { takeOverAfter: 3_000 },
  });
  const close = async (): Promise<void> => {
    await runner.close();
    await database.close();
  };
  return { runner, sessions, close };
}

/** Several processes share one server, which takes a hundred connections. */
export function openDatabase(url: string): Database {
  return new Database(url, url.startsWith('postgres') ? { poolSize: 2 } : {});
}

class LaterClock extends Clock {
  constructor(private readonly seconds: number) {
    super();
  }

  now(): number {
    return Date.now() / 1000 + this.seconds;
  }
}
