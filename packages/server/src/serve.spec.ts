import { callsTool, streams } from '@adorn/testing';

import { createAdornClient } from './client/index.js';
import { openDesk, Orders } from './desk.fixture.js';
import type { Frame } from './frames/frame.js';
import { serve } from './serve.js';

describe('serve', () => {
  it('says what to do if its port is in use, or its host is of another machine', async () => {
    await using runner = await openDesk([]);
    await using server = await serve(runner, { port: 0 });
    const port = Number(new URL(server.url).port);
    await expect(serve(runner, { port })).rejects.toMatchObject({
      code: 'SERVER_OPTION_INVALID',
      message: expect.stringMatching(/is in use by another program.*port: 0 for a free port/) as string,
    });
    const authenticate = () => 'ada';
    await expect(serve(runner, { port: 0, host: '192.0.2.1', authenticate })).rejects.toThrow(
      'is not an address of this machine',
    );
  });

  it('streams a conversation with a call, an approval and its answer to the typed client', async () => {
    await using runner = await openDesk([
      callsTool('find_order', { orderId: 'A-17' }),
      callsTool('refund', { orderId: 'A-17' }),
      streams('Re', 'funded.'),
    ]);
    await using server = await serve(runner, { port: 0 });
    const client = createAdornClient(server.url, { token: server.token ?? '' });
    const chat = await client.createSession();

    const kinds: string[] = [];
    const frames: Frame[] = [];
    for await (const frame of chat.send('Refund A-17')) {
      kinds.push(frame.kind);
      frames.push(frame);
    }
    expect(kinds).toEqual(['call', 'result', 'call', 'request', 'result', 'end']);
    expect(Orders.refunds).toEqual([]);

    const [request] = await chat.pending();
    const answered: string[] = [];
    for await (const frame of chat.approve(request?.id ?? '')) answered.push(frame.kind);
    expect(answered).toEqual(['result', 'text', 'text', 'text', 'end']);
    expect(Orders.refunds).toEqual(['A-17']);
    const history = await chat.history();
    expect(history.frames.filter(({ kind }) => kind === 'text')).toMatchObject([
      { author: 'user', text: 'Refund A-17' },
      { author: 'desk', text: 'Refunded.' },
    ]);
    expect(history.pending).toEqual([]);
    expect(history.activeRun).toBeUndefined();
  });
});
