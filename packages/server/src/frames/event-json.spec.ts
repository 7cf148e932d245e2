import type { Plugin } from '@adorn/core';
import { callsTool, says } from '@adorn/testing';

import { TestDesk } from '../request.fixture.js';

const SECRET = 'shipped';

/** Asks whether the result of a tool may be read, and hides it. */
const HIDES: Plugin = {
  name: 'hides',
  afterTool: (_tool, _args, _result, context) => {
    context.requestConfirmation('May it be read?');
    return { hidden: true };
  },
};

describe('what a tool ended with, while a callback after it asks a person', () => {
  it.each([
    ['/run', { appName: 'desk', userId: 'ada', sessionId: 's1', newMessage: message('Where is A?') }],
    ['/run_sse', { appName: 'desk', userId: 'ada', sessionId: 's1', newMessage: message('Where is A?') }],
    ['/adorn/apps/desk/sessions/s1/runs', { message: 'Where is A?' }],
  ])('is in no answer of %s, nor of what is read of the session then', async (route, body) => {
    await using desk = await TestDesk.open(
      [callsTool('find_order', { orderId: 'A' }), says('Found.')],
      {},
      { plugins: [HIDES] },
    );
    await desk.session('s1');

    const run = await (await desk.send(route, { body })).text();
    const session = await (await desk.send('/apps/desk/users/ada/sessions/s1')).text();
    const own = await (await desk.send('/adorn/apps/desk/sessions/s1')).text();

    expect(run).toContain('May it be read?');
    expect(session).toContain('May it be read?');
    for (const said of [run, session, own]) expect(said).not.toContain(SECRET);
    const stored = await desk.runner.sessions.getSession({ appName: 'desk', userId: 'ada', sessionId: 's1' });
    expect(JSON.stringify(stored?.events)).toContain(SECRET);
  });
});

function message(text: string) {
  return { role: 'user', parts: [{ text }] };
}
