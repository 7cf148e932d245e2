import {
  agentTool,
  type AgentClass,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  Logger,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Runner,
  SessionService,
} from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { DyingSessions } from '../dying-sessions.fixture.js';
import { remoteAgent } from './remote-agent.js';
import { type Behaviour, type Said, SdkServer } from './sdk-server.fixture.js';

const address = { userId: 'ada', sessionId: 's1' };
const REVISION = { binding: 'JSONRPC', version: '1.0', streaming: false } as const;
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('a remote agent as a background tool', () => {
  it.each<[string, Behaviour, RegExp]>([
    ['answers', () => saying({ piece: 'Done by the peer.' }), /"text":"Done by the peer\."/],
    ['fails', () => saying({ fail: 'no stock' }), /"error":"[^"]*is failed: no stock/],
    [
      'breaks every connection',
      (_text, peer) => {
        peer.intercept = (_request, response) => {
          response.destroy();
          return true;
        };
        return saying({ piece: 'never heard' });
      },
      /"error":"[^"]*could not be reached/,
    ],
  ])('whose peer %s has one result, which the model reads', async (_, behaviour, result) => {
    const { runner, peer } = await start(behaviour);

    const { text } = await runner.run({ ...address, message: 'Go' });

    const results = resultsIn(await logOf(runner));
    expect([text, peer.heard, results.length]).toEqual(['All is done.', ['a report'], 1]);
    expect(results[0]).toMatch(result);
  });

  it('has one message and one result behind each death of its process', async () => {
    for (const behaviour of [() => saying({ piece: 'Done.' }), () => saying({ fail: 'no stock' })]) {
      const outcomes: unknown[] = [];
      for (let left = 1, isDead = true; isDead; left++) {
        const sessions = new DyingSessions(left);
        const world = await start(behaviour, sessions);
        isDead = await diesIn(world.runner);
        sessions.left = Infinity;
        const next = await world.restart();
        await next.recover({ olderThan: 0 });

        const events = await logOf(next);
        outcomes.push([left, world.peer.heard.length, resultsIn(events).length, events.at(-1)?.text]);
      }
      expect(outcomes).toEqual(outcomes.map((_, index) => [index + 1, 1, 1, 'All is done.']));
      expect(outcomes.length).toBeGreaterThan(6);
    }
  });
});

async function* saying(...said: Said[]): ReturnType<Behaviour> {
  for (const one of said) yield await Promise.resolve(one);
}

/** Asks the peer once, and says that all is done when the result is there. */
class Delegating extends Model {
  override readonly name = 'delegating';

  async *generate({ contents }: ModelRequest): AsyncGenerator<ModelResponse> {
    const isAsked = contents.some(({ role }) => role === 'model');
    const isDone = contents
      .flatMap(({ parts = [] }) => parts)
      .some(({ functionResponse }) => {
        const { response = {} } = functionResponse ?? {};
        return 'text' in response || 'error' in response;
      });
    yield isDone
      ? says('All is done.')
      : isAsked
        ? says('I wait.')
        : callsTool('peer', { request: 'a report' });
    await Promise.resolve();
  }
}

async function start(behaviour: Behaviour, sessions = new DyingSessions(Infinity)) {
  const peer = await new SdkServer(behaviour, REVISION).start();
  open.push(peer);
  const Remote = remoteAgent(peer.url, {
    ...{ name: 'peer', description: 'Writes reports.', pollMs: 5, retries: 1, timeout: 2_000 },
  });
  const tools = [agentTool(Remote, { background: true })];
  const Desk = defineAgent({ name: 'desk', model: new Delegating(), tools });
  const restart = () => running(Desk, sessions);
  return { peer, restart, runner: await restart() };
}

async function running(root: AgentClass<unknown>, sessions: SessionService): Promise<Runner> {
  const silent = (): void => undefined;
  const services = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Logger).toConstantValue({ debug: silent, info: silent, warn: silent, error: silent });
  });
  const runner = await createRunner(root as AgentClass, {
    ...{ appName: 'app', modules: [services], config: { takeOverAfter: 0 } },
  });
  open.push(runner);
  return runner;
}

/** Runs the conversation. Returns false if the process has lived. */
async function diesIn(runner: Runner): Promise<boolean> {
  return runner.run({ ...address, message: 'Go' }).then(
    ({ status }) => status !== 'answered',
    () => true,
  );
}

async function logOf({ sessions }: Runner): Promise<readonly Event[]> {
  return (await sessions.getSession({ appName: 'app', ...address }))?.events ?? [];
}

/** The results of the call, as JSON, without the word that it is running. */
function resultsIn(events: readonly Event[]): string[] {
  return events
    .filter(({ isolationScope }) => isolationScope === undefined)
    .flatMap(({ functionResponses }) => functionResponses)
    .filter(({ name, willContinue }) => name === 'peer' && willContinue !== true)
    .map(({ response }) => JSON.stringify(response));
}
