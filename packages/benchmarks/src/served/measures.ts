import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

import { ServedAgent } from './served-agent.js';

const WARM_UP = 200;
const CLIENTS = 16;

/** Milliseconds of turns, sorted. */
export interface Latencies {
  readonly runner: readonly number[];
  readonly served: readonly number[];
}

/** Turns by the runner and over `run_sse`, by turns, each in a session of its own. */
export async function latencies(turns: number): Promise<Latencies> {
  await using agent = await ServedAgent.open(['Hello, ', 'how can ', 'I help', '?']);
  const runner: number[] = [];
  const served: number[] = [];
  for (let turn = -WARM_UP; turn < turns; turn++) {
    const alone = await timeOf(() => runAlone(agent));
    const overHttp = await timeOf(() => runServed(agent));
    if (turn < 0) continue;
    runner.push(alone);
    served.push(overHttp);
  }
  const sorted = (values: number[]) => values.toSorted((one, other) => one - other);
  return { runner: sorted(runner), served: sorted(served) };
}

async function timeOf(prepare: () => Promise<() => Promise<void>>): Promise<number> {
  const work = await prepare();
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function runAlone(agent: ServedAgent): Promise<() => Promise<void>> {
  const sessionId = await agent.session();
  return async () => {
    const config = { streaming: 'sse' } as const;
    for await (const _event of agent.runner.run({ userId: 'user', sessionId, message: 'Hi', config }));
  };
}

async function runServed(agent: ServedAgent): Promise<() => Promise<void>> {
  const body = ServedAgent.bodyOf(await agent.session());
  return async () => {
    const response = await fetch(`${agent.url}/run_sse`, { method: 'POST', headers: agent.headers, body });
    const text = await response.text();
    if (!response.ok || !text.includes('I help?')) throw new Error(text);
  };
}

/** Requests in a second of several clients at once. */
export interface Throughput {
  readonly what: string;
  readonly perSecond: number;
}

export async function throughputs(requests: number): Promise<Throughput[]> {
  await using agent = await ServedAgent.open(['Hello.']);
  const bare = createAdaptorServer({ fetch: new Hono().get('/list-apps', (c) => c.json(['desk'])).fetch });
  bare.listen(0, '127.0.0.1');
  await once(bare, 'listening');
  const bareUrl = `http://127.0.0.1:${String((bare.address() as AddressInfo).port)}`;
  const get = (url: string) => () => fetch(`${url}/list-apps`, { headers: agent.headers });
  const turn = async () => {
    const body = ServedAgent.bodyOf(await agent.session());
    return fetch(`${agent.url}/run_sse`, { method: 'POST', headers: agent.headers, body });
  };
  const results = [
    { what: 'a bare route of Hono', perSecond: await rateOf(requests, get(bareUrl)) },
    { what: 'GET /list-apps', perSecond: await rateOf(requests, get(agent.url)) },
    { what: 'POST /run_sse, a whole turn', perSecond: await rateOf(Math.ceil(requests / 5), turn) },
  ];
  bare.close();
  return results;
}

/** Requests in a second of 16 clients at once. */
export async function rateOf(requests: number, send: () => Promise<Response>): Promise<number> {
  const client = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) {
      const response = await send();
      await response.text();
      if (!response.ok) throw new Error(`got ${String(response.status)}`);
    }
  };
  await client(WARM_UP);
  const begun = performance.now();
  const each = Math.ceil(requests / CLIENTS);
  await Promise.all(Array.from({ length: CLIENTS }, () => client(each)));
  return (each * CLIENTS * 1_000) / (performance.now() - begun);
}

/** Bytes of a stream that is open and not read, without and with what the system keeps of it. */
export interface StreamMemory {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Bytes that each stream would have to send. */
  readonly answerBytes: number;
}

/** Opens streams of long answers, whose clients read the head and nothing more. */
export async function streamMemory(streams: number): Promise<StreamMemory> {
  const pieces = Array.from({ length: 500 }, (_, index) => `${String(index)} ${'x'.repeat(2_000)} `);
  await using agent = await ServedAgent.open(pieces);
  const bodies: string[] = [];
  for (let stream = 0; stream < streams; stream++) bodies.push(ServedAgent.bodyOf(await agent.session()));
  collectGarbage();
  const before = process.memoryUsage();
  const open: IncomingMessage[] = [];
  for (const body of bodies) open.push(await openUnread(agent, body));
  await setTimeout(2_000);
  collectGarbage();
  const after = process.memoryUsage();
  for (const response of open) response.destroy();
  return {
    heapBytes: (after.heapUsed + after.external - before.heapUsed - before.external) / streams,
    residentBytes: (after.rss - before.rss) / streams,
    answerBytes: pieces.join('').length,
  };
}

/** Begins a run, and reads the head of its answer. */
export function openUnread(
  agent: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  body: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(`${agent.url}/run_sse`, { method: 'POST', headers: agent.headers, agent: false });
    sent.on('response', (response) => {
      response.pause();
      response.on('error', () => undefined);
      resolve(response);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function collectGarbage(): void {
  const { gc } = globalThis as { gc?: () => void };
  gc?.();
}
