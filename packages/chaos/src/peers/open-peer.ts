import { remoteAgent } from '@adorn/a2a';
import { QuietLogger } from '@adorn/conformance/quiet-logger';
import {
  type AgentClass,
  ContainerModule,
  createRunner,
  Logger,
  type Runner,
  SessionService,
} from '@adorn/core';
import { Database, SqlSessionService } from '@adorn/storage';

import { Life } from '../processes/life.js';
import { ORDERED } from './clerk.agent.js';

/** The conversation of the client. */
const ADDRESS = { userId: 'ada', sessionId: 's1' };

/** A runner whose sessions are in a file, and what closes it. */
export interface OpenPeer {
  readonly runner: Runner<unknown>;
  readonly sessions: SessionService;
  readonly close: () => Promise<void>;
}

/** @param life ends the process behind one of its writes */
export async function openPeer(root: AgentClass, file: string, life = new Life()): Promise<OpenPeer> {
  const database = new Database(file);
  const sessions = life.bounds(new SqlSessionService(database));
  const bindings = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Logger).toConstantValue(new QuietLogger());
  });
  const runner = await createRunner(root, { appName: 'app', modules: [bindings] });
  const close = async (): Promise<void> => {
    await runner.close();
    await database.close();
  };
  return { runner, sessions, close };
}

/** The client: an agent whose one agent is that of the server. */
export function clientOf(url: string): AgentClass {
  return remoteAgent(url, {
    name: 'remote',
    description: 'Takes an order.',
    timeout: 5_000,
    pollMs: 50,
    retries: 8,
  });
}

/** Does what is left to do of the conversation: recovers, sends the message, answers what is asked. */
export async function converse({ runner, sessions }: OpenPeer): Promise<string[]> {
  await runner.recover({ olderThan: 0 });
  const begun = await sessions.getSession({ appName: 'app', ...ADDRESS });
  if (begun?.events.some(({ author }) => author === 'user') !== true)
    await runner.run({ ...ADDRESS, message: 'A shirt' });
  const [request] = await runner.pending(ADDRESS);
  if (request) await runner.supply(request, 'M');
  const session = await sessions.getSession({ appName: 'app', ...ADDRESS });
  const events = session?.events ?? [];
  return events.flatMap(({ author, text, errorMessage }) =>
    author === 'remote' && (text !== '' || errorMessage !== undefined) ? [errorMessage ?? text] : [],
  );
}

/** What is wrong with the tasks of the server; undefined if there is one with one answer. */
export async function serverFault(sessions: SessionService): Promise<string | undefined> {
  const found = await sessions.listSessions({ appName: 'app', userId: 'peer' });
  if (found.length !== 1) return `the server has ${String(found.length)} conversations`;
  const session = await sessions.getSession({
    appName: 'app',
    userId: 'peer',
    sessionId: found[0]?.id ?? '',
  });
  const events = session?.events ?? [];
  const begun = events.filter(({ author, text }) => author === 'user' && text === 'A shirt');
  const answers = events.filter(({ author, text }) => author === 'clerk' && text === ORDERED);
  if (begun.length === 1 && answers.length === 1) return undefined;
  return `the server has ${String(begun.length)} tasks and ${String(answers.length)} answers`;
}
