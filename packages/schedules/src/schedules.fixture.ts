import { rmSync } from 'node:fs';
import { join } from 'node:path';

import {
  type AgentClass,
  Clock,
  ContainerModule,
  createRunner,
  type Event,
  Logger,
  Model,
  type ModelResponse,
  type Runner,
} from '@adorn/core';
import type { LogFacts } from '@adorn/core/backend';
import { type SqliteDriver, sqlStorage } from '@adorn/storage';
import { ManualClock, says } from '@adorn/testing';

import { newDatabaseFolder } from '../../storage/src/database/database-folder.fixture.js';
import { A_MINUTE, newPostgresDatabase } from '../../storage/src/database/postgres-database.fixture.js';

/** Answers every message with `done`. */
export class QuickModel extends Model {
  override readonly name = 'quick';

  override async *generate(): AsyncGenerator<ModelResponse, void, undefined> {
    yield await Promise.resolve(says('done'));
  }
}

/** Keeps what is logged. */
export class KeptLogger extends Logger {
  readonly lines: { readonly level: string; readonly message: string; readonly facts: unknown }[] = [];

  override debug(): void {
    // Not looked at.
  }
  override info(message: string, facts?: LogFacts): void {
    this.lines.push({ level: 'info', message, facts });
  }
  override warn(message: string, facts?: LogFacts): void {
    this.lines.push({ level: 'warn', message, facts });
  }
  override error(message: string, facts?: LogFacts): void {
    this.lines.push({ level: 'error', message, facts });
  }
}

/** 08:59:00 UTC on Monday, 30 November 2026, in seconds since 1970. */
export const MONDAY = Date.UTC(2026, 10, 30, 8, 59) / 1_000;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A process of an application: a runner of its own, on the store that all share, with a clock of its own. */
export async function openProcess(
  root: AgentClass<unknown>,
  url: string,
  {
    clock = new ManualClock(MONDAY),
    modules = [],
    sqliteDriver,
  }: {
    readonly clock?: ManualClock;
    readonly modules?: readonly ContainerModule[];
    readonly sqliteDriver?: SqliteDriver;
  } = {},
) {
  const logger = new KeptLogger();
  const services = new ContainerModule(({ bind }) => {
    bind(Clock).toConstantValue(clock);
    bind(Logger).toConstantValue(logger);
  });
  const runner = await createRunner(root, {
    appName: 'shop',
    model: new QuickModel(),
    modules: [sqlStorage(url, sqliteDriver ? { sqliteDriver } : {}), services, ...modules],
  });
  return { runner, clock, logger };
}

/** Suites on SQLite and on a real PostgreSQL, each test with a store of its own. */
export function describeEachStore(suite: (newUrl: () => Promise<string>) => void): void {
  describe('on SQLite', () => {
    const folder = newDatabaseFolder('adorn-schedules-');
    let count = 0;
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
    suite(() => Promise.resolve(join(folder, `${String(count++)}.db`)));
  });
  describe('on PostgreSQL', () => {
    jest.setTimeout(A_MINUTE);
    suite(newPostgresDatabase);
  });
}

/** Waits until something holds, for five seconds at most. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It has not come to hold within five seconds.');
}

/** The messages of users in all sessions of a user, with the ids of their runs, oldest first. */
export async function messagesTo(runner: Runner<unknown>, userId: string): Promise<readonly Event[]> {
  const { appName } = runner;
  const sessions = await runner.sessions.listSessions({ appName, userId });
  const found: Event[] = [];
  for (const { id: sessionId } of sessions) {
    const session = await runner.sessions.getSession({ appName, userId, sessionId });
    found.push(...(session?.events ?? []).filter(({ author }) => author === 'user'));
  }
  return found.sort((one, other) => one.invocationId.localeCompare(other.invocationId));
}

/** The ids of the runs of a user whose answers are stored, oldest first. */
export async function answeredRuns(runner: Runner<unknown>, userId = 'ada'): Promise<string[]> {
  const { appName } = runner;
  const sessions = await runner.sessions.listSessions({ appName, userId });
  const ids: string[] = [];
  for (const { id: sessionId } of sessions) {
    const session = await runner.sessions.getSession({ appName, userId, sessionId });
    for (const { author, text, invocationId } of session?.events ?? [])
      if (author !== 'user' && text === 'done') ids.push(invocationId);
  }
  return ids.sort();
}
