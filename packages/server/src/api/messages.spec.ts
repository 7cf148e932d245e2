import { callsTool, says } from '@adorn/testing';

import { createAdornClient } from '../client/adorn-client.js';
import { TestDesk } from '../request.fixture.js';

describe('a message that is posted while a run is open', () => {
  it('with `instead` ends the run, and begins the next one, which can be followed', async () => {
    await using desk = await TestDesk.open([callsTool('count'), says('Stopped.')]);
    const client = createAdornClient('http://localhost', {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        request.headers.set('x-user', 'ada');
        return desk.handler(request);
      },
    });
    const chat = await client.createSession({ id: 's1' });
    const counting = chat.send('Count the stock.');
    for await (const frame of counting) {
      if (frame.kind !== 'call') continue;
      const { invocationId, id } = await chat.post('No, stop.', { when: 'instead' });
      expect(invocationId).toBe(id);
      expect((await chat.follow(invocationId)).text).toBe('Stopped.');
    }
    expect(await counting).toMatchObject({ status: 'cancelled' });
    const session = await desk.runner.sessions.getSession({
      appName: 'desk',
      userId: 'ada',
      sessionId: 's1',
    });
    expect(session?.events.at(-2)).toMatchObject({ author: 'user', text: 'No, stop.' });
  });

  it('is stored under who sent it, and refused to others, and for what is no message or time', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    await desk.session('s1');
    const path = '/adorn/apps/desk/sessions/s1/messages';

    expect((await desk.send(path, { body: { message: 'Hi' }, user: 'bob' })).status).toBe(404);
    expect((await desk.send(path, { body: {} })).status).toBe(400);
    expect((await desk.send(path, { body: { message: 'Hi', when: 'soon' } })).status).toBe(400);
    expect((await desk.send(path, { body: { message: '' } })).status).toBe(400);
    const posted = await desk.send(path, { body: { message: 'Hi', by: 'mia' } });
    expect(posted.status).toBe(202);
    const { invocationId } = (await posted.json()) as { invocationId: string };
    await (await desk.send(`/adorn/apps/desk/sessions/s1/runs/${invocationId}`)).text();

    const session = await desk.runner.sessions.getSession({
      appName: 'desk',
      userId: 'ada',
      sessionId: 's1',
    });
    expect(session?.events.map(({ text }) => text)).toEqual(['Hi', 'Hello.']);
    expect(JSON.stringify(session?.events)).not.toContain('mia');
  });
});
