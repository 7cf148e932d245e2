import { callsTool, streams } from '@adorn/testing';

import { TestDesk } from '../request.fixture.js';
import type { Frame } from '../frames/frame.js';
import { createAdornClient } from './adorn-client.js';

/** A fetch whose streams break after some bytes, for a number of times. */
function breaking(
  desk: TestDesk,
  bytes: number,
  times: number,
): { readonly fetch: typeof fetch; readonly broken: () => number } {
  let broken = 0;
  const call: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('x-user', 'ada');
    const response = await desk.handler(request);
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (!isStream || broken >= times || response.body === null) return response;
    broken++;
    let left = bytes;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.slice(0, left));
        left -= chunk.byteLength;
        if (left <= 0) controller.error(new TypeError('The connection broke.'));
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };
  return { fetch: call, broken: () => broken };
}

/** The frames of a conversation whose stream breaks twice, each time after so many bytes. */
async function framesOfStreamThatBreaks(bytes: number): Promise<{ frames: Frame[]; broken: number }> {
  await using desk = await TestDesk.open([...CONVERSATION]);
  const connection = breaking(desk, bytes, 2);
  const client = createAdornClient('http://localhost', { fetch: connection.fetch });
  const chat = await client.createSession();
  const frames: Frame[] = [];
  for await (const frame of chat.send('Go')) frames.push(frame);
  return { frames, broken: connection.broken() };
}

const CONVERSATION = [
  callsTool('find_order', { orderId: 'A' }),
  callsTool('note', { text: 'x' }),
  streams('Do', 'n', 'e.'),
];

describe('a run of the client', () => {
  it('takes up a stream that breaks at any byte, without a gap and without a repeated frame', async () => {
    const whole = (await framesOfStreamThatBreaks(10_000)).frames.map(({ kind }) => kind);
    const places = Array.from({ length: 32 }, (_, index) => 1 + 97 * index);

    const runs = await Promise.all(places.map(framesOfStreamThatBreaks));

    for (const { frames } of runs) {
      const kinds = frames.map(({ kind }) => kind);
      const stored = frames.flatMap((frame) =>
        'event' in frame && frame.event !== undefined ? [frame.event.id] : [],
      );
      expect(new Set(stored).size).toBe(5);
      expect(stored).toHaveLength(5);
      expect(kinds.filter((kind) => kind !== 'text')).toEqual(whole.filter((kind) => kind !== 'text'));
      const texts = frames.filter((frame) => frame.kind === 'text');
      expect(texts.at(-1)).toMatchObject({ text: 'Done.' });
      expect(texts.filter(({ partial }) => partial === true).length).toBeLessThanOrEqual(3);
    }
    expect(runs.reduce((sum, { broken }) => sum + broken, 0)).toBeGreaterThan(40);
  }, 120_000);

  it('is stopped by a reader that stops, and by its signal', async () => {
    await using desk = await TestDesk.open([callsTool('count'), callsTool('count')]);
    const client = createAdornClient('http://localhost', { fetch: breaking(desk, 0, 0).fetch });
    const chat = await client.createSession();
    const run = chat.send('Count');
    for await (const { kind } of run) if (kind === 'call') break;
    const stopping = new AbortController();
    const kinds: string[] = [];
    for await (const frame of chat.send('Count', { signal: stopping.signal })) {
      kinds.push(frame.kind === 'end' ? frame.status : frame.kind);
      if (frame.kind === 'call') stopping.abort();
    }
    expect(kinds).toEqual(['call', 'result', 'error', 'cancelled']);
    expect((await chat.history()).activeRun).toBeUndefined();
  });

  it('rejects with the code, the status and the field of a refusal', async () => {
    await using desk = await TestDesk.open([]);
    const client = createAdornClient('http://localhost', { fetch: breaking(desk, 0, 0).fetch });
    await expect(client.session('none').send('Hi')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
    await expect(client.createSession({ id: 7 as never })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      field: 'id',
    });
    const dead = createAdornClient('http://127.0.0.1:1', { app: 'desk', maxReconnects: 0 });
    await expect(dead.sessions()).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
  });
});
