import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  agent,
  type AgentClass,
  ContainerModule,
  createRunner,
  InMemorySessionService,
  type Runner,
  SequentialAgent,
  SessionService,
} from '@adorn/core';

import { DyingSessions } from '../dying-sessions.fixture.js';
import { fetchAgentCard, remoteAgent } from './remote-agent.js';
import type { RemoteAgentOptions } from './remote-agent-options.js';

const address = { userId: 'ada', sessionId: 's1' };
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('the conversation with a remote agent', () => {
  it('begins with a message that has nothing but its id, its context, its role and its text', async () => {
    const peer = await new WirePeer(() => ({ task: taskOf('t1', { artifact: 'Hello.' }) })).start();
    const runner = await running(remote(peer));

    expect(await runner.ask('Hi', address)).toBe('Hello.');
    expect(peer.sent).toEqual([
      {
        messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        ...ADDRESSED,
        parts: textParts('Hi'),
      },
    ]);
    expect(peer.calls).toEqual(['SendMessage', 'GetTask']);
  });

  it('brings each of two answers to its own question, as a message of its own', async () => {
    const states = [{ ask: 'Which size?' }, { ask: 'Which colour?' }, { artifact: 'Ordered.' }];
    const peer: WirePeer = await new WirePeer(() => ({
      task: taskOf('t1', states[peer.sent.length - 1] ?? {}),
    })).start();
    const runner = await running(remote(peer));
    await runner.run({ ...address, message: 'A shirt' });

    const hints: string[] = [];
    let text = '';
    for (const answer of ['M', 'red']) {
      const [request] = await runner.pending(address);
      hints.push(request?.hint ?? '');
      ({ text } = await runner.supply(request as NonNullable<typeof request>, answer));
    }

    expect([hints, text]).toEqual([['Which size?', 'Which colour?'], 'Ordered.']);
    expect(peer.sent.map(({ parts, taskId }) => [parts, taskId])).toEqual([
      [textParts('A shirt'), undefined],
      [textParts('M'), 't1'],
      [textParts('red'), 't1'],
    ]);
    expect(new Set(peer.sent.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('gives each of two peers its own answer, although their tasks have one id', async () => {
    const peers = ['One.', 'Two.'].map(
      (artifact) => new WirePeer(() => ({ task: taskOf('t1', { artifact }) })),
    );
    for (const peer of peers) await peer.start();
    const [First, Second] = peers.map((peer, index) => remote(peer, { name: `peer${String(index)}` }));
    @agent({ subAgents: [First as AgentClass, Second as AgentClass] })
    class Pipeline extends SequentialAgent {}
    const runner = await running(Pipeline);

    const { events } = await runner.run({ ...address, message: 'Hi' });

    expect(events.map(({ author, text }) => [author, text])).toEqual([
      ['peer0', 'One.'],
      ['peer1', 'Two.'],
    ]);
  });

  it('has its answer in the log: after a crash it is there, although the peer has forgotten the task', async () => {
    const outcomes: unknown[] = [];
    for (let left = 1; left < 8; left++) {
      const peer = await new WirePeer(() => ({ task: taskOf('t1', { artifact: 'Once.' }) })).start();
      const sessions = new DyingSessions(left);
      await (await running(remote(peer), sessions)).run({ ...address, message: 'Hi' }).catch(() => undefined);
      const isStored = (await textsIn(sessions)).includes('Once.');
      if (isStored) peer.close();
      sessions.left = Infinity;
      const next = await running(remote(peer), sessions);
      await next.recover({ olderThan: 0 });
      if (isStored) outcomes.push(await textsIn(sessions));
    }

    expect(outcomes.length).toBeGreaterThan(0);
    expect(outcomes).toEqual(outcomes.map(() => ['Hi', 'Once.']));
  });

  it('sends its message again to a peer that was not reached, since it cannot have taken it', async () => {
    const peer = await new WirePeer(() => ({ task: taskOf('t1', { artifact: 'Hello.' }) })).start();
    peer.afterCard = () => {
      peer.close();
      setTimeout(() => void peer.start(), 60);
    };
    const runner = await running(remote(peer));

    const { text, error } = await runner.run({ ...address, message: 'Hi' });

    expect([text, error]).toEqual(['Hello.', undefined]);
    expect(peer.calls).toEqual(['SendMessage', 'GetTask']);
  });

  it('finds the task of a message whose response was lost by the id of the message', async () => {
    const peer = await new WirePeer(() => 'break').start();
    peer.tasks = () => [
      taskOf('t0', { artifact: 'Another.' }),
      { ...taskOf('t1', { artifact: 'Hello.' }), history: peer.sent },
    ];
    const runner = await running(remote(peer));

    const { text, error } = await runner.run({ ...address, message: 'Hi' });

    expect([text, error]).toEqual(['Hello.', undefined]);
    expect(peer.calls).toEqual(['SendMessage', 'ListTasks', 'GetTask']);
  });

  it.each<[string, () => object[]]>([
    ['the peer has no such task', () => [taskOf('t0', { artifact: 'Another.' })]],
    [
      'the peer cannot be asked',
      () => {
        throw new Error('it does not list tasks');
      },
    ],
  ])('says that the outcome is unknown if the response was lost and %s', async (_, tasks) => {
    const peer = await new WirePeer(() => 'break').start();
    peer.tasks = tasks;
    const runner = await running(remote(peer));

    const { error } = await runner.run({ ...address, message: 'Hi' });

    expect(error?.message).toContain('its answer cannot be used');
    expect(peer.sent).toHaveLength(1);
  });

  it('has no part of a question that the user rejected: the task is cancelled', async () => {
    const peer = await new WirePeer(() => ({ task: taskOf('t1', { ask: 'Which size?' }) })).start();
    const runner = await running(remote(peer));
    await runner.run({ ...address, message: 'A shirt' });
    const [request] = await runner.pending(address);

    const { error } = await runner.reject(request as NonNullable<typeof request>);

    expect(error?.message).toMatch(
      /The task of the remote agent at \S+ is rejected: its question was rejected/,
    );
    expect(peer.calls).toEqual(['SendMessage', 'GetTask', 'CancelTask']);
  });
});

describe('the card of a peer', () => {
  it('may be one of revision 0.3', async () => {
    const peer = await new WirePeer(() => 'break').start();
    peer.card = (url) => ({
      ...{ name: 'Old Peer', description: 'Answers.', version: '1', url, protocolVersion: '0.3.0' },
      ...{ preferredTransport: 'JSONRPC', capabilities: {}, skills: [] },
      ...{ defaultInputModes: [], defaultOutputModes: [] },
    });

    expect((await fetchAgentCard(peer.url)).supportedInterfaces).toMatchObject([
      { url: peer.url, protocolBinding: 'JSONRPC', protocolVersion: '0.3.0' },
    ]);
  });

  it('is read from the address itself if that ends in .json, and else from below it', async () => {
    const peer = await new WirePeer(() => 'break').start();

    for (const path of ['', '/', '/agents/desk', '/agents/desk/', '/cards/desk.json'])
      await fetchAgentCard(`${peer.url}${path}`);

    expect(peer.cards).toEqual([
      ...['/.well-known/agent-card.json', '/.well-known/agent-card.json'],
      ...['/agents/desk/.well-known/agent-card.json', '/agents/desk/.well-known/agent-card.json'],
      '/cards/desk.json',
    ]);
  });

  it('is not read from an address that is refused, and the error names the function', async () => {
    await expect(fetchAgentCard('http://example.com')).rejects.toThrow(/fetchAgentCard/);
  });
});

/** A peer without streams that answers what its spec says, in JSON-RPC of revision 1.0. */
class WirePeer {
  /** The messages that arrived. */
  readonly sent: Record<string, unknown>[] = [];
  /** The methods that were called, and the paths under which a card was read. */
  readonly calls: string[] = [];
  readonly cards: string[] = [];
  tasks: () => object[] = () => [];
  afterCard: () => void = () => undefined;
  private readonly server = () => createServer((request, response) => void this.handle(request, response));
  private running: ReturnType<typeof createServer> | undefined;
  private port = 0;
  private last: unknown;

  /** @param answer the result of `SendMessage`; `break` ends the connection */
  constructor(private readonly answer: () => { readonly task: object } | 'break') {}

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  async start(): Promise<this> {
    const server = (this.running = this.server());
    await once(server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (server.address() as AddressInfo).port;
    if (!open.includes(this)) open.push(this);
    return this;
  }

  close(): void {
    this.running?.closeAllConnections();
    this.running?.close();
  }

  card: (url: string) => object = (url) => ({
    ...{ name: 'Peer', description: 'Answers.', version: '1', skills: [] },
    ...{ defaultInputModes: [], defaultOutputModes: [], capabilities: {} },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  });

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (body: object): void => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(body));
    };
    if (request.method === 'GET') {
      this.cards.push(request.url ?? '');
      response.on('finish', this.afterCard);
      this.afterCard = () => undefined;
      reply(this.card(this.url));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      readonly id: number;
      readonly method: string;
      readonly params: Record<string, unknown>;
    };
    this.calls.push(method);
    try {
      const result = this.result(method, params);
      if (result === 'break') response.destroy();
      else reply({ jsonrpc: '2.0', id, result });
    } catch (error) {
      reply({ jsonrpc: '2.0', id, error: { code: -32_601, message: String(error) } });
    }
  }

  private result(method: string, params: Record<string, unknown>): unknown {
    if (method === 'ListTasks') {
      const tasks = this.tasks();
      this.last = tasks.at(-1);
      return { tasks, nextPageToken: '', pageSize: 100, totalSize: tasks.length };
    }
    if (method !== 'SendMessage') return this.last;
    this.sent.push(params['message'] as Record<string, unknown>);
    const answer = this.answer();
    if (answer !== 'break') this.last = answer.task;
    return answer;
  }
}

const ADDRESSED = { contextId: 's1', role: 'ROLE_USER' };

function textParts(text: string): object[] {
  return [{ text, mediaType: 'text/plain' }];
}

function taskOf(id: string, said: { readonly ask?: string; readonly artifact?: string }): object {
  const place = { taskId: id, contextId: 's1' };
  const { ask, artifact } = said;
  if (ask === undefined) {
    const artifacts = [{ artifactId: 'a', parts: [{ text: artifact }] }];
    return { id, contextId: 's1', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  }
  const message = { messageId: `q-${ask}`, ...place, role: 'ROLE_AGENT', parts: [{ text: ask }] };
  return { id, contextId: 's1', status: { state: 'TASK_STATE_INPUT_REQUIRED', message } };
}

function remote({ url }: WirePeer, options: RemoteAgentOptions = {}): AgentClass {
  return remoteAgent(url, { name: 'peer', description: 'A peer.', pollMs: 10, ...options });
}

async function running(
  root: AgentClass<unknown>,
  sessions: SessionService = new InMemorySessionService(),
): Promise<Runner> {
  const services = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(sessions);
  });
  const runner = await createRunner(root as AgentClass, { appName: 'app', modules: [services] });
  open.push(runner);
  return runner;
}

async function textsIn(sessions: SessionService): Promise<string[]> {
  const { events = [] } = (await sessions.getSession({ appName: 'app', ...address })) ?? {};
  return events.flatMap(({ text }) => (text === '' ? [] : [text]));
}
