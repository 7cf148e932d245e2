import { agent, createRunner, LlmAgent } from '@adorn/core';
import { workingMemory } from '@adorn/memory';
import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createAdornClient } from '../client/index.js';
import { adornHandler } from '../index.js';

async function desk() {
  const profile = workingMemory({
    type: 'object',
    properties: { city: { type: 'string' }, children: { type: 'integer', minimum: 0 } },
  });

  @agent({ name: 'desk', description: 'Helps.', tools: [profile] })
  class Desk extends LlmAgent {}

  const model = new ScriptedModel(callsTool('update_profile', { city: 'Oslo' }), says('Noted.'));
  const runner = await createRunner(Desk, { model });
  const handler = await adornHandler(runner, {
    authenticate: (request) => request.headers.get('x-user') ?? undefined,
    allowedHosts: 'any',
    recover: false,
    profiles: [profile],
  });
  const clientOf = (user: string) =>
    createAdornClient('http://localhost', {
      headers: { 'x-user': user },
      fetch: (input, init) => handler(new Request(input, init)),
    });
  const close = async () => {
    await handler.close();
    await runner.close();
  };
  return { runner, handler, clientOf, close };
}

describe('the profiles of a user, over HTTP', () => {
  it('are listed, corrected and deleted by their user', async () => {
    const { runner, clientOf, close } = await desk();
    const ada = clientOf('ada');
    await runner.run({ userId: 'ada', sessionId: 's1', message: 'I live in Oslo.' });

    expect(await ada.profiles()).toEqual([{ name: 'profile', fields: { city: 'Oslo' } }]);
    expect(await ada.correctProfile('profile', { city: null, children: 2 })).toEqual({
      name: 'profile',
      fields: { children: 2 },
    });
    await ada.deleteProfile('profile');

    expect(await ada.profiles()).toEqual([{ name: 'profile', fields: {} }]);
    await close();
  });

  it('are not those of another user', async () => {
    const { runner, handler, clientOf, close } = await desk();
    await runner.run({ userId: 'ada', sessionId: 's1', message: 'I live in Oslo.' });
    const bob = clientOf('bob');

    expect(await bob.profiles()).toEqual([{ name: 'profile', fields: {} }]);
    await bob.correctProfile('profile', { city: 'Rome' });
    await bob.deleteProfile('profile');
    const asked = await handler(
      new Request('http://localhost/adorn/apps/desk/profiles?user=ada', { headers: { 'x-user': 'bob' } }),
    );

    expect(asked.status).toBe(404);
    expect(await clientOf('ada').profiles()).toEqual([{ name: 'profile', fields: { city: 'Oslo' } }]);
    await close();
  });

  it.each([
    ['profile', { children: -1 }, 400, 'PROFILE_INVALID'],
    ['profile', { color: 'red' }, 400, 'PROFILE_INVALID'],
    ['profile', [], 400, 'REQUEST_INVALID'],
    ['profile', null, 400, 'REQUEST_INVALID'],
    ['other', { city: 'Rome' }, 404, 'NOT_FOUND'],
  ])('refuse for %p the change %j', async (name, fields, status, code) => {
    const { handler, clientOf, close } = await desk();
    const headers = { 'x-user': 'ada', 'content-type': 'application/json' };
    const init = { method: 'PATCH', headers, body: JSON.stringify({ fields }) };

    const refused = await handler(new Request(`http://localhost/adorn/apps/desk/profiles/${name}`, init));

    expect([refused.status, JSON.parse(await refused.text())]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
    expect(await clientOf('ada').profiles()).toEqual([{ name: 'profile', fields: {} }]);
    await close();
  });

  it.each([[{}], [[{}]], [[null]], ['profile']])('are no option %j', async (profiles) => {
    const { runner, close } = await desk();

    await expect(
      (async () => adornHandler(runner, { token: 'x'.repeat(20), profiles: profiles as never }))(),
    ).rejects.toMatchObject({ message: expect.stringContaining('profiles') as string });
    await close();
  });
});
