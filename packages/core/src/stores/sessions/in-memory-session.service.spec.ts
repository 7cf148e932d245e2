import { describeSessionService } from '@adorn/testing/contracts';

import { InMemorySessionService } from './in-memory-session.service.js';

describeSessionService('InMemorySessionService', async () => new InMemorySessionService());

it('keeps nothing of a user whose sessions were deleted, but for the state that sessions share', async () => {
  const sessions = new InMemorySessionService();
  for (const [userId, state] of [
    ['ada', { city: 'Oslo' }],
    ['bob', { 'user:theme': 'dark' }],
  ] as const) {
    const key = { appName: 'app', userId, sessionId: 's1' };
    await sessions.createSession(key, state);
    await sessions.deleteSession(key);
  }

  const apps = Reflect.get(sessions, 'apps') as ReadonlyMap<
    string,
    { readonly users: ReadonlyMap<string, unknown> }
  >;
  expect([...(apps.get('app')?.users.keys() ?? [])]).toEqual(['bob']);
  const again = await sessions.createSession({ appName: 'app', userId: 'bob', sessionId: 's2' });
  expect(again.state).toEqual({ 'user:theme': 'dark' });
});
