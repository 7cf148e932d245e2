import { says } from '@adorn/testing';
import type { Feedback } from '@adorn/core/backend';

import { createAdornClient } from '../client/adorn-client.js';
import { TestDesk, type TestRequest } from '../request.fixture.js';

const PATH = '/adorn/apps/desk/sessions/s1/feedback';
const SESSION = '/adorn/apps/desk/sessions/s1';

describe('feedback over HTTP', () => {
  it('is given by the client, told with the conversation, and taken back', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    const chat = await clientOf(desk).createSession({ id: 's1' });
    const run = chat.send('Hi');
    let answer = { eventId: '' };
    for await (const frame of run) if (frame.kind === 'text' && frame.event) answer = frame;

    const given = await chat.feedback(answer, { score: 0, label: 'rude', comment: 'Say my name.' });

    expect(given).toMatchObject({
      eventId: answer.eventId,
      score: 0,
      label: 'rude',
      comment: 'Say my name.',
      by: { id: 'ada' },
    });
    const history = await chat.history();
    expect(history.feedback).toEqual([given]);
    expect(JSON.stringify(history.frames)).not.toContain('Say my name.');

    const { invocationId } = await run;
    expect(await chat.feedback(invocationId, { score: 1 })).toMatchObject({
      eventId: answer.eventId,
      score: 1,
    });
    expect(await chat.feedback(invocationId, { score: null })).toBeUndefined();
    expect((await chat.history()).feedback).toEqual([]);
  });

  it('is by whom authentication names, whatever a body claims', async () => {
    const people: Record<string, object> = {
      ada: { id: 'ada' },
      sue: { id: 'sue', userId: 'ada', roles: ['support'], tenant: 'acme' },
    };
    await using desk = await TestDesk.open([says('Hello.')], {
      authenticate: ({ headers }) => people[headers.get('x-user') ?? ''],
    });
    const { invocationId } = await talked(desk);

    for (const user of ['ada', 'sue'])
      await desk.send(PATH, { user, body: { invocationId, score: 1, by: 'mia', principal: { id: 'mia' } } });

    const { feedback } = await desk.json<{ feedback: Feedback[] }>(SESSION);
    expect(feedback.map(({ by }) => by.id)).toEqual(['ada', 'sue']);
    expect(feedback[1]?.by).toEqual({
      id: 'sue',
      roles: ['support'],
      tenant: 'acme',
      actsFor: 'ada',
      attributes: {},
    });
  });

  it.each<[string, (invocationId: string) => TestRequest & { readonly path?: string }, number]>([
    ['another user', (invocationId) => ({ user: 'bob', body: { invocationId, score: 1 } }), 404],
    [
      'a developer, of another user',
      (invocationId) => ({ user: 'dev', body: { invocationId, score: 1 } }),
      404,
    ],
    [
      'a developer who names the user',
      (invocationId) => ({ user: 'dev', path: `${PATH}?user=ada`, body: { invocationId, score: 1 } }),
      404,
    ],
    ['nobody', (invocationId) => ({ user: '', body: { invocationId, score: 1 } }), 401],
    [
      'another session',
      (invocationId) => ({ path: '/adorn/apps/desk/sessions/s2/feedback', body: { invocationId, score: 1 } }),
      404,
    ],
    [
      'a page of another site',
      (invocationId) => ({ headers: { origin: 'https://evil.example' }, body: { invocationId, score: 1 } }),
      403,
    ],
    ['an event that is not there', () => ({ body: { eventId: 'x', score: 1 } }), 404],
    ['an invocation that is not there', () => ({ body: { invocationId: 'x', score: 1 } }), 404],
    ['nothing that it is about', () => ({ body: { score: 1 } }), 400],
    ['no score', (invocationId) => ({ body: { invocationId, comment: 'x' } }), 400],
    ['a score that is a text', (invocationId) => ({ body: { invocationId, score: '1' } }), 400],
    ['five stars', (invocationId) => ({ body: { invocationId, score: 5 } }), 400],
    ['NaN', (invocationId) => ({ body: `{"invocationId":"${invocationId}","score":NaN}` }), 400],
    [
      'a number without an end',
      (invocationId) => ({ body: `{"invocationId":"${invocationId}","score":1e999}` }),
      400,
    ],
    [
      'a huge comment',
      (invocationId) => ({ body: { invocationId, score: 1, comment: 'x'.repeat(4_001) } }),
      400,
    ],
    [
      'a comment that is a list',
      (invocationId) => ({ body: { invocationId, score: 1, comment: ['x'] } }),
      400,
    ],
    [
      'a body that is too large',
      (invocationId) => ({ body: { invocationId, score: 1, comment: 'x'.repeat(11_000_000) } }),
      413,
    ],
  ])('refuses %s, and stores nothing', async (_what, requestOf, status) => {
    await using desk = await TestDesk.open([says('Hello.')]);
    const { invocationId } = await talked(desk);
    const before = (await events(desk)).length;
    const { path = PATH, ...request } = requestOf(invocationId);

    const response = await desk.send(path, request);

    expect(response.status).toBe(status);
    expect(await events(desk)).toHaveLength(before);
  });

  it('is refused with 429 when one principal changes it again and again', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    const { invocationId } = await talked(desk);
    const before = (await events(desk)).length;
    const statuses: number[] = [];
    for (let change = 0; change < 30; change++)
      statuses.push((await desk.send(PATH, { body: { invocationId, score: change / 30 } })).status);

    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await events(desk)).toHaveLength(before + 20);
  });

  it('is in the conversation of no front end', async () => {
    await using desk = await TestDesk.open([says('Hello.')]);
    const { invocationId } = await talked(desk);
    const pages = ['/adorn/apps/desk/ui-messages/s1', '/adorn/apps/desk/ag-ui/s1'];
    const before = await Promise.all(pages.map((page) => desk.json(page)));

    await desk.send(PATH, { body: { invocationId, score: 0, comment: 'SECRET' } });

    expect(await Promise.all(pages.map((page) => desk.json(page)))).toEqual(before);
  });
});

function clientOf(desk: TestDesk) {
  return createAdornClient('http://localhost', {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.headers.set('x-user', 'ada');
      return desk.handler(request);
    },
  });
}

async function talked(desk: TestDesk) {
  await desk.session('s1');
  return desk.runner.run({ userId: 'ada', sessionId: 's1', message: 'Hi' });
}

async function events(desk: TestDesk) {
  const session = await desk.runner.sessions.getSession({ appName: 'desk', userId: 'ada', sessionId: 's1' });
  return session?.events ?? [];
}
