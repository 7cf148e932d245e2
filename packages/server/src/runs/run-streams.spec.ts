import { setTimeout } from 'node:timers/promises';

import { callsTool, says, streams } from '@adorn/testing';

import { dataOf, TestDesk } from '../request.fixture.js';

const SESSION = '/adorn/apps/desk/sessions/s1';
const CONVERSATION = [
  callsTool('find_order', { orderId: 'A' }),
  callsTool('note', { text: 'x' }),
  streams('Do', 'ne.'),
];

/** A server-sent event. */
interface Sent {
  readonly id: string | undefined;
  readonly data: string;
}

function readSent(text: string): Sent[] {
  return text.split('\n\n').flatMap((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    return data === undefined ? [] : [{ id: /^id: (.*)$/m.exec(block)?.[1], data }];
  });
}

/** Reads the first messages of a stream, and leaves. */
async function readSome(response: Response, count: number): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (readSent(text).length < count) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

describe('a stream of a run', () => {
  it('is taken up again behind any event, without a gap and without a double', async () => {
    await using whole = await TestDesk.open([...CONVERSATION]);
    await whole.session('s1');
    const all = await dataOf(await whole.send(`${SESSION}/runs`, { body: { message: 'Go' } }));
    const kinds = all.map(({ kind }) => kind);
    expect(kinds).toEqual(['call', 'result', 'call', 'result', 'state', 'text', 'text', 'text', 'end']);

    for (let cut = 0; cut <= kinds.length; cut++) {
      await using desk = await TestDesk.open([...CONVERSATION]);
      await desk.session('s1');
      const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Go' } });
      const run = `${SESSION}/runs/${response.headers.get('x-adorn-invocation') ?? ''}`;
      const first = readSent(await readSome(response, cut));
      const stored = first.findLastIndex(({ id }) => id !== undefined);
      const lastEventId = first[stored]?.id;
      const headers: Record<string, string> =
        lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
      const rest = readSent(await (await desk.send(run, { headers })).text());
      const seen = [...first.slice(0, stored + 1), ...rest].map(
        ({ data }) => (JSON.parse(data) as { kind: string }).kind,
      );
      // A reader that comes back after the answer is complete does not need its pieces.
      expect(seen.filter((kind) => kind !== 'text')).toEqual(kinds.filter((kind) => kind !== 'text'));
      const ids = [...first.slice(0, stored + 1), ...rest].flatMap(({ id }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(5);
    }
  });

  it('is read from the log when the server has forgotten the run, to its end', async () => {
    await using desk = await TestDesk.open([...CONVERSATION]);
    await desk.session('s1');
    const { invocationId } = await desk.runner.run({ userId: 'ada', sessionId: 's1', message: 'Go' });
    const frames = await dataOf(await desk.send(`${SESSION}/runs/${invocationId}`));
    expect(frames.map(({ kind }) => kind)).toEqual([
      'call',
      'result',
      'call',
      'result',
      'state',
      'text',
      'end',
    ]);
    expect(frames.at(-1)).toMatchObject({ status: 'answered', text: 'Done.' });
    expect((await desk.send(`${SESSION}/runs/none`)).status).toBe(404);
  });

  it('goes on while nobody reads, and can be followed by several readers at once', async () => {
    await using desk = await TestDesk.open([...CONVERSATION]);
    await desk.session('s1');
    const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Go' } });
    const run = `${SESSION}/runs/${response.headers.get('x-adorn-invocation') ?? ''}`;
    await response.body?.cancel();
    const both = await Promise.all([desk.send(run), desk.send(run)]);
    const [one, other] = await Promise.all(both.map(dataOf));
    expect(one?.at(-1)).toMatchObject({ kind: 'end', status: 'answered' });
    expect(other).toEqual(one);
  });

  it('ends its run when nobody comes back within the grace', async () => {
    await using desk = await TestDesk.open([callsTool('count')], { reconnectGrace: 100 });
    await desk.session('s1');
    const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    const id = response.headers.get('x-adorn-invocation') ?? '';
    await response.body?.cancel();
    expect(desk.runner.isActive(id)).toBe(true);
    for (let tries = 0; desk.runner.isActive(id) && tries < 100; tries++) await setTimeout(50);
    expect(await dataOf(await desk.send(`${SESSION}/runs/${id}`))).toMatchObject([
      { kind: 'call' },
      { kind: 'result' },
      { kind: 'error', code: 'CANCELLED' },
      { kind: 'end', status: 'cancelled' },
    ]);
  });

  it('stops on request, and tells so to its reader', async () => {
    await using desk = await TestDesk.open([callsTool('count')]);
    await desk.session('s1');
    const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    const run = `${SESSION}/runs/${response.headers.get('x-adorn-invocation') ?? ''}`;
    expect(await desk.json(run, { method: 'DELETE', user: 'bob' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await desk.json(run, { method: 'DELETE' })).toEqual({ stopped: true });
    expect((await dataOf(response)).at(-1)).toMatchObject({ kind: 'end', status: 'cancelled' });
    expect(await desk.json(run, { method: 'DELETE' })).toEqual({ stopped: false });
  });

  it('gets comments while the run is silent', async () => {
    await using desk = await TestDesk.open([callsTool('count')], { heartbeatMs: 20 });
    await desk.session('s1');
    const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(': ping\n\n: ping\n\n')) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(text).toContain('"kind":"call"');
  });

  it('makes its run wait for a slow reader', async () => {
    let asked = 0;
    const pieces = Array.from({ length: 200 }, (_, index) => String(index));
    const [last, ...partial] = streams(...pieces).toReversed();
    const parts = [...partial.toReversed(), ...(last === undefined ? [] : [last])];
    const counted = Object.assign([...parts], {
      *[Symbol.iterator]() {
        for (const part of parts) {
          asked++;
          yield part;
        }
      },
    });
    await using desk = await TestDesk.open([counted]);
    await desk.session('s1');
    const response = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    await setTimeout(200);
    const before = asked;
    const frames = await dataOf(response);
    expect([before > 0, asked]).toEqual([true, 201]);
    expect(before).toBeLessThan(60);
    expect(frames.filter(({ partial: isPiece }) => isPiece === true)).toHaveLength(200);
  });

  it('is refused with a status if its run is refused before its first event', async () => {
    await using desk = await TestDesk.open([]);
    await desk.session('s1');
    const wrong = await desk.send(`${SESSION}/runs`, { body: { message: { parts: 7 } } });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    ]);
    const none = await desk.send(`${SESSION}/requests/r1`, { body: { decision: 'approve' } });
    expect([none.status, await none.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'REQUEST_NOT_PENDING' }),
    ]);
  });

  it('is one of a limited number for each user', async () => {
    await using desk = await TestDesk.open([callsTool('count'), says('Hello.')], { limits: { streams: 1 } });
    await desk.session('s1');
    await desk.session('s1', 'bob');
    const open = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    const more = await desk.send(`${SESSION}/runs`, { body: { message: 'Count' } });
    expect([more.status, await more.json()]).toEqual([
      429,
      expect.objectContaining({ code: 'LIMIT_REACHED' }),
    ]);
    const other = await desk.send(`${SESSION}/runs`, { body: { message: 'Hi' }, user: 'bob' });
    expect(other.status).toBe(200);
    await Promise.all([open.body?.cancel(), other.body?.cancel()]);
  });
});
