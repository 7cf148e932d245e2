import {
  agent,
  ContainerModule,
  createRunner,
  defineAgent,
  LlmAgent,
  Model,
  type Runner,
  SessionService,
} from '@adorn/core';
import { says, ScriptedModel } from '@adorn/testing';

import { DyingSessions } from '../dying-sessions.fixture.js';
import { fetchAgentCard, remoteAgent } from '../client/remote-agent.js';
import { a2aHandler } from './a2a-handler.js';
import { serveA2a } from './serve-a2a.js';

const URL_OF_HANDLER = 'http://127.0.0.1:9/a2a';
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('several agents on one host', () => {
  it('have a card and an address each', async () => {
    const serving = await serveA2a([
      defineAgent({ name: 'one', description: 'The first.', model: new ScriptedModel(says('One.')) }),
      defineAgent({ name: 'two', description: 'The second.', model: new ScriptedModel(says('Two.')) }),
    ]);
    open.push(serving);

    const cards = await Promise.all(['one', 'two'].map((name) => fetchAgentCard(`${serving.url}/${name}`)));
    const runners = await Promise.all(cards.map((card) => running(createRunner(remoteAgent(card)))));
    const answers = await Promise.all(runners.map((runner) => runner.ask('Hi')));

    expect(cards.map(({ name, description }) => [name, description])).toEqual([
      ['one', 'The first.'],
      ['two', 'The second.'],
    ]);
    expect(answers).toEqual(['One.', 'Two.']);
    expect((await fetch(`${serving.url}/three/.well-known/agent-card.json`)).status).toBe(404);
  });

  it('need different names', async () => {
    const same = () => defineAgent({ name: 'one', model: new ScriptedModel() });

    await expect(serveA2a([same(), same()])).rejects.toThrow(/two agents are named "one"/);
    await expect(serveA2a([])).rejects.toThrow(/there is no agent/);
    await expect(serveA2a([null as never])).rejects.toThrow(/an agent is null/);
  });
});

describe('a handler', () => {
  it('is mounted below a path of another server', async () => {
    const handler = await a2aHandler(Desk, {
      url: URL_OF_HANDLER,
      runner: { model: new ScriptedModel(says('Hi.')) },
    });
    open.push(handler);

    const card = await handler(new Request(`${URL_OF_HANDLER}/.well-known/agent-card.json`));
    const answer = await handler(messageTo(URL_OF_HANDLER, 'm1'));
    const elsewhere = await handler(messageTo('http://127.0.0.1:9/other', 'm1'));

    expect(await card.json()).toMatchObject({ url: URL_OF_HANDLER, protocolVersion: '0.3.0' });
    expect(await answer.json()).toMatchObject({ result: { status: { state: 'completed' } } });
    expect(elsewhere.status).toBe(404);
  });

  it.each([
    [{}, /url is no http URL/],
    [{ url: 'ftp://127.0.0.1' }, /url is no http URL/],
    [{ url: 'https://agents.example.com' }, /there is no authenticate/],
    [{ url: URL_OF_HANDLER, limits: { tasks: 0 } }, /in limits, tasks is 0/],
    [{ url: URL_OF_HANDLER, approve: true }, /approve is/],
    [null, /options are null/],
  ])('refuses the options %j', async (options, fault) => {
    await expect(a2aHandler(Desk, options as never)).rejects.toThrow(fault);
  });

  it('limits the tasks of a principal that run at a time, and not those of others', async () => {
    const handler = await a2aHandler(Desk, {
      url: URL_OF_HANDLER,
      authenticate: ({ headers }) => headers.get('authorization') ?? undefined,
      limits: { tasks: 2 },
      runner: { model: new StuckModel() },
    });
    open.push(handler);
    const send = async (user: string, id: string) =>
      (await (await handler(messageTo(URL_OF_HANDLER, id, user, false))).json()) as {
        error?: { message: string };
      };

    const tasks = [
      await send('eve', 'm1'),
      await send('eve', 'm2'),
      await send('eve', 'm3'),
      await send('ada', 'm1'),
    ];

    expect(tasks.map(({ error }) => error?.message.slice(0, 7))).toEqual([
      undefined,
      undefined,
      '2 tasks',
      undefined,
    ]);
  });

  it('ends a task that its process left behind, with one answer', async () => {
    for (let crash = 1; crash < 4; crash++) {
      const model = new ScriptedModel(says('Once.'), says('Twice.'));
      const sessions = new DyingSessions(crash);
      const dying = await handlerOn(sessions, model);
      await (await dying(messageTo(URL_OF_HANDLER, 'm1'))).json();
      sessions.left = Infinity;
      const next = await handlerOn(sessions, model);
      await next.recovered;

      const again = (await (await next(messageTo(URL_OF_HANDLER, 'm1'))).json()) as { result: Task };
      const list = await listed(sessions);

      expect({ crash, state: again.result.status.state, answers: again.result.artifacts.length }).toEqual({
        ...{ crash, state: 'completed', answers: 1 },
      });
      expect(list).toHaveLength(1);
    }
  });
});

/** Answers customers. */
@agent({ description: 'Answers customers.' })
class Desk extends LlmAgent {}

interface Task {
  readonly status: { readonly state: string };
  readonly artifacts: readonly unknown[];
}

class StuckModel extends Model {
  override readonly name = 'stuck';
  // eslint-disable-next-line require-yield -- it never answers
  async *generate(): AsyncGenerator<never> {
    await new Promise(() => undefined);
  }
}

async function handlerOn(sessions: SessionService, model: Model) {
  const services = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
    bind(Model).toConstantValue(model);
  });
  const runner = await running(createRunner(Desk, { modules: [services] }));
  const handler = await a2aHandler(runner, { url: URL_OF_HANDLER, recover: false });
  open.push(handler);
  return Object.assign((request: Request) => handler(request), {
    recovered: runner.recover({ olderThan: 0 }),
  });
}

async function listed(sessions: SessionService) {
  return sessions.listSessions({ appName: 'desk', userId: 'peer' });
}

async function running<Output>(creating: Promise<Runner<Output>>): Promise<Runner<Output>> {
  const runner = await creating;
  open.push(runner);
  return runner;
}

/** A message in revision 0.3. */
function messageTo(url: string, messageId: string, authorization = '', blocking = true): Request {
  const message = { kind: 'message', role: 'user', messageId, parts: [{ kind: 'text', text: 'Hi' }] };
  const params = { message, configuration: { blocking } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
  return new Request(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization },
  });
}
