/** @slow */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { AdornError, createRunner, type Runner } from '@adorn/core';

import { fetchAgentCard, remoteAgent } from './remote-agent.js';

const open: { close(): unknown }[] = [];
const NAMED = { name: 'peer', description: 'A peer.', headers: { authorization: 'Bearer secret-token' } };
const SOON = { retries: 1, timeout: 500, pollMs: 10, maxBytes: 200_000 };

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

describe('the card of a hostile peer', () => {
  const cards = [
    ...[
      'null',
      '[]',
      '7',
      '""',
      '{}',
      '<html>',
      '',
      '{"supportedInterfaces":7}',
      '{"supportedInterfaces":[null]}',
    ],
    ...[
      '{"supportedInterfaces":[{"url":"file:///etc/passwd","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}',
    ],
    ...[
      '{"url":"http://169.254.169.254/","preferredTransport":"JSONRPC","protocolVersion":"0.3.0","name":"x"}',
    ],
    `{"name":"${'x'.repeat(300_000)}"}`,
  ];

  it.each(cards.map((card) => [card.slice(0, 70), card]))(
    '%s fails the run, and nothing else',
    async (_name, card) => {
      const url = await serving(() => ({ body: card }));
      const runner = await remote(url);

      const { status, error } = await runner.run({ message: 'Hi' });

      expect([status, error?.code]).toEqual(['failed', 'RUN_FAILED']);
      const read = await fetchAgentCard(url, SOON).then(
        (known) => () => remoteAgent(known),
        (refused: unknown) => () => {
          throw refused;
        },
      );
      expect(AdornError.is(thrownBy(read))).toBe(true);
    },
  );
});

describe('the answer of a hostile peer', () => {
  const task = (status: object) => ({ task: { id: 't', contextId: 'c', status } });
  const answers: readonly (readonly [string, Answer])[] = [
    ...[null, [], {}, 7, { task: null }, { task: {} }, { message: null }].map(
      (result) => [JSON.stringify(result), { body: rpc(result) }] as const,
    ),
    ['no JSON', { body: '<html>' }],
    ['nothing', { body: '' }],
    ['an error that is null', { body: '{"jsonrpc":"2.0","id":1,"error":null}' }],
    ['HTTP 500', { status: 500, body: 'who sends Bearer secret-token?' }],
    ['an unknown state', { body: rpc(task({ state: 'TASK_STATE_DANCING' })) }],
    ['a stream without an update', { body: ': nothing\n\n', type: 'text/event-stream' }],
    ['a stream of no JSON', { body: 'data: nothing\n\n', type: 'text/event-stream' }],
    ['a stream without end', { body: `data: ${'x'.repeat(300_000)}`, type: 'text/event-stream' }],
    ['no answer', { isSilent: true }],
  ];

  it('of one that is none is read', async () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Hello.' }] };
    const url = await serving((path, self) => ({
      body: path.includes('.well-known') ? JSON.stringify(cardOf(self, false)) : rpc({ message }),
    }));

    expect(await (await remote(url)).ask('Hi')).toBe('Hello.');
  });

  it.each(answers)('%s fails the run, and leaves nothing open', async (_name, answer) => {
    const results = await Promise.all(
      [true, false].map(async (streaming) => {
        const url = await serving((path, self) =>
          path.includes('.well-known') ? { body: JSON.stringify(cardOf(self, streaming)) } : answer,
        );
        return (await remote(url)).run({ message: 'Hi' });
      }),
    );

    for (const { status, error } of results) {
      expect([status, error?.code]).toEqual(['failed', 'RUN_FAILED']);
      expect(error?.message).not.toContain('secret');
    }
  });
});

interface Answer {
  readonly body?: string;
  readonly status?: number;
  readonly type?: string;
  readonly isSilent?: boolean;
}

async function serving(answer: (path: string, self: string) => Answer): Promise<string> {
  const server: Server = createServer((request, response) => {
    const { status = 200, body = '', type = 'application/json', isSilent } = answer(request.url ?? '', url);
    if (isSilent === true) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // The id of the request is repeated, so that nothing but the result is wrong.
      const id = /"id":(\d+)/.exec(Buffer.concat(chunks).toString())?.[1] ?? '1';
      response.writeHead(status, { 'content-type': type }).end(body.replace('"id":1', `"id":${id}`));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return url;
}

async function remote(url: string): Promise<Runner> {
  const runner = await createRunner(remoteAgent(url, { ...NAMED, ...SOON }));
  open.push(runner);
  return runner;
}

function cardOf(url: string, streaming: boolean): object {
  return {
    ...{
      name: 'Peer',
      description: '',
      version: '1',
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
    },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    capabilities: { streaming },
  };
}

function rpc(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result });
}

function thrownBy(perform: () => unknown): unknown {
  try {
    perform();
    return undefined;
  } catch (error) {
    return error;
  }
}
