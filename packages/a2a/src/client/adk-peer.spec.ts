import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  ContainerModule,
  createRunner,
  InMemorySessionService,
  type PendingRequest,
  type Runner,
  SessionService,
} from '@adorn/core';

import { remoteAgent } from './remote-agent.js';

const address = { userId: 'ada', sessionId: 's1' };
const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const CONFIRMATION = {
  id: 'r1',
  name: 'adk_request_confirmation',
  args: {
    originalFunctionCall: { name: 'delete', args: { path: '/x' } },
    toolConfirmation: { hint: 'Delete /x?', confirmed: false },
  },
};
const INPUT = {
  id: 'r2',
  name: 'adk_request_input',
  args: { message: 'Which size?', response_schema: { type: 'string', enum: ['S', 'M'] } },
};
const RESULT = { id: 'r3', name: 'print', args: { copies: 2 } };

describe("an agent of Google's ADK as a peer", () => {
  it('is read without the calls, responses and code of its steps, and its thoughts are thoughts', async () => {
    const { runner } = await start([
      { kind: 'text', text: 'Let me think.', metadata: { adk_thought: true } },
      dataOf('function_call', { id: 'c1', name: 'get_weather', args: { city: 'Oslo' } }),
      dataOf('function_response', { id: 'c1', name: 'get_weather', response: { celsius: 4 } }),
      dataOf('executable_code', { code: '1 + 1' }),
      dataOf('code_execution_result', { output: '2' }),
      { kind: 'data', data: { chart: 1 } },
      { kind: 'text', text: 'It is 4 degrees.' },
    ]);

    const { text } = await runner.run({ ...address, message: 'Weather?' });

    expect(text).toBe('{"chart":1}It is 4 degrees.');
  });

  it.each<[what: string, calls: readonly object[], answers: readonly unknown[], sent: readonly object[]]>([
    ['a confirmation', [CONFIRMATION], [true], [{ id: 'r1', response: { confirmed: true } }]],
    [
      'a confirmation by data',
      [CONFIRMATION],
      [{ confirmed: true, payload: 5 }],
      [{ id: 'r1', response: { confirmed: true, payload: 5 } }],
    ],
    [
      'a confirmation that is denied',
      [CONFIRMATION],
      [false],
      [{ id: 'r1', response: { confirmed: false } }],
    ],
    ['an input', [INPUT], ['M'], [{ id: 'r2', response: { result: 'M' } }]],
    ['a result', [RESULT], [{ pages: 4 }], [{ id: 'r3', response: { pages: 4 } }]],
    [
      'several at once',
      [CONFIRMATION, INPUT],
      [true, 'S'],
      [
        { id: 'r1', response: { confirmed: true } },
        { id: 'r2', response: { result: 'S' } },
      ],
    ],
  ])(
    'gets the answer to %s under the id of its call, once all are answered',
    async (_what, calls, answers, sent) => {
      const { runner, peer } = await start([{ kind: 'text', text: 'Done.' }], calls);
      let { status } = await runner.run({ ...address, message: 'Go.' });
      let text = '';
      for (const answer of answers) {
        expect([status, peer.messages.length]).toEqual(['paused', 1]);
        ({ status, text } = await runner.supply(await onlyRequest(runner), answer));
      }

      expect([status, text]).toEqual(['answered', 'Done.']);
      expect(peer.messages.at(-1)).toMatchObject({
        taskId: 't1',
        parts: sent.map((data) => ({ kind: 'data', data, metadata: { adk_type: 'function_response' } })),
      });
    },
  );

  it('is shown with its hint and its call, and only true approves', async () => {
    const { runner, peer } = await start([], [CONFIRMATION]);
    await runner.run({ ...address, message: 'Go.' });
    const request = await onlyRequest(runner);

    expect(request).toMatchObject({
      hint: 'Delete /x?',
      payload: { tool: 'delete', args: { path: '/x' } },
    });
    for (const value of ['yes', 1, { ok: true }])
      await expect(async () => runner.supply(request, value)).rejects.toMatchObject({
        code: 'ANSWER_INVALID',
      });
    expect(peer.messages).toHaveLength(1);
  });

  it('is told a refused confirmation, and goes on', async () => {
    const { runner, peer } = await start([{ kind: 'text', text: 'Then not.' }], [CONFIRMATION]);
    await runner.run({ ...address, message: 'Go.' });

    const { text } = await runner.reject(await onlyRequest(runner));

    expect(text).toBe('Then not.');
    expect(JSON.stringify(peer.messages.at(-1))).toContain('"confirmed":false');
  });

  it('gets no credential: the run says where to grant it', async () => {
    const call = { id: 'r4', name: 'adk_request_credential', args: { authConfig: {} } };
    const { runner } = await start([], [call]);

    const { status, error } = await runner.run({ ...address, message: 'Go.' });

    expect(status).toBe('failed');
    expect(error?.message).toMatch(/credential.*Grant it where the remote agent runs/);
  });

  it('goes on in another process between two of its questions', async () => {
    const sessions = new InMemorySessionService();
    const { runner, peer, again } = await start(
      [{ kind: 'text', text: 'Done.' }],
      [CONFIRMATION, INPUT],
      sessions,
    );
    await runner.run({ ...address, message: 'Go.' });
    await runner.supply(await onlyRequest(runner), true);

    const other = await again();
    const { text } = await other.supply(await onlyRequest(other), 'S');

    expect([text, peer.messages.length]).toEqual(['Done.', 2]);
  });
});

async function onlyRequest(runner: Runner<unknown>): Promise<PendingRequest> {
  const requests = await runner.pending(address);
  expect(requests).toHaveLength(1);
  return requests[0]!;
}

function dataOf(type: string, data: object): object {
  return { kind: 'data', data, metadata: { adk_type: type } };
}

/** A peer that speaks as the A2A server of Google's ADK 2.0 does. */
class AdkPeer {
  readonly messages: { readonly parts: readonly object[]; readonly taskId?: string }[] = [];
  private task: object = {};
  private server: Server | undefined;

  constructor(
    private readonly answer: readonly object[],
    private readonly calls: readonly { readonly id?: string }[],
  ) {}

  get url(): string {
    return `http://127.0.0.1:${String((this.server?.address() as AddressInfo).port)}`;
  }

  async start(): Promise<void> {
    const server = (this.server = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'GET' ? this.card() : this.respond(body)));
      });
    }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }

  close(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private card(): object {
    return {
      name: 'adk',
      description: 'An agent.',
      url: this.url,
      version: '1',
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
  }

  private respond(body: string): object {
    const { id, method, params } = JSON.parse(body) as {
      id: unknown;
      method: string;
      params: { message: { parts: { metadata?: Record<string, unknown>; data?: { id?: string } }[] } };
    };
    if (method === 'message/send') this.take(params.message);
    return { jsonrpc: '2.0', id, result: this.task };
  }

  private take(message: {
    readonly parts: readonly {
      readonly metadata?: Record<string, unknown>;
      readonly data?: { readonly id?: string };
    }[];
  }): void {
    this.messages.push(message);
    const answered = new Set(
      message.parts.flatMap(({ metadata, data }) =>
        metadata?.['adk_type'] === 'function_response' ? [data?.id] : [],
      ),
    );
    const isOpen = this.calls.some(({ id }) => !answered.has(id));
    const parts = this.calls.map((call) => ({
      kind: 'data',
      data: call,
      metadata: { adk_type: 'function_call', adk_is_long_running: true },
    }));
    const status = isOpen
      ? { state: 'input-required', message: { kind: 'message', messageId: 'q1', role: 'agent', parts } }
      : { state: 'completed' };
    this.task = {
      ...{ kind: 'task', id: 't1', contextId: 'c1', status },
      artifacts: isOpen ? [] : [{ artifactId: 'a1', parts: this.answer }],
    };
  }
}

async function start(
  answer: readonly object[],
  calls: readonly object[] = [],
  sessions = new InMemorySessionService(),
) {
  const peer = new AdkPeer(answer, calls);
  await peer.start();
  open.push(peer);
  const again = async (): Promise<Runner<unknown>> => {
    const runner = await createRunner(remoteAgent(peer.url, { name: 'remote', description: 'A peer.' }), {
      modules: [new ContainerModule(({ bind }) => void bind(SessionService).toConstantValue(sessions))],
    });
    open.push(runner);
    return runner;
  };
  return { peer, again, runner: await again() };
}
