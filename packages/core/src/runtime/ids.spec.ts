/** @isolated */
import { jest } from '@jest/globals';

import { isOwnCallId, newCallId, newEventId, newInvocationId, newSessionId } from './ids.js';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

describe('ids', () => {
  it.each([
    ['an event', newEventId, ''],
    ['a session', newSessionId, ''],
    ['an invocation', newInvocationId, 'e-'],
    ['a call', newCallId, 'adk-'],
  ])('of %s are told by their form and never alike', (_what, make, prefix) => {
    const made = Array.from({ length: 100 }, make);

    for (const id of made) expect(id).toMatch(new RegExp(`^${prefix}${UUID}$`));
    expect(new Set(made).size).toBe(100);
  });

  it('are not drawn while the module is loaded, which Cloudflare Workers refuse', async () => {
    const { randomUUID, ...crypto } = await import('node:crypto');
    const draw = jest.fn(randomUUID);
    jest.resetModules();
    jest.unstable_mockModule('node:crypto', () => ({ ...crypto, randomUUID: draw }));

    const ids = await import('./ids.js');
    expect(draw).not.toHaveBeenCalled();

    expect(ids.newEventId()).toBe(draw.mock.results[0]?.value);
  });

  it('tells the calls that the framework named from those a model did', () => {
    expect([newCallId(), 'adk-1', 'call_adk-1', 'ADK-1', ''].map(isOwnCallId)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
