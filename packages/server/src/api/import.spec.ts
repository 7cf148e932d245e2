import { createRunner, defineAgent, exportSession, FunctionTool, type Runner } from '@adorn/core';
import { eventsOf } from '@adorn/testing';

import { adornHandler } from '../adorn-handler.js';

const MIA = { id: 'mia', roles: ['manager'], tenant: 'acme' };
const ADA = { id: 'ada', tenant: 'acme' };
const DEV = { id: 'dev', userId: 'ada', isDeveloper: true, tenant: 'tools' };
const address = { userId: 'ada', sessionId: 's1' };

/** Both ways of a server to import a session. */
const DOORS: Readonly<Record<string, (lines: readonly string[]) => readonly [path: string, body: object]>> = {
  import: (lines) => ['/adorn/apps/clerk/import', { lines: lines.join('\n') }],
  'adk-web': ([, ...events]) => [
    '/apps/clerk/users/ada/sessions/imported',
    { events: events.map((line) => JSON.parse(line) as object) },
  ],
};

describe('an import by a developer', () => {
  it.each(Object.keys(DOORS))(
    'at %s believes neither the requester nor the approvals of its log',
    async (door) => {
      const ran: unknown[] = [];
      await using from = await desk(ran);
      await from.call({ ...address, tool: 'pay', by: ADA });
      await eventsOf(from.approve((await from.pending(address))[0] as never, { by: MIA }));
      ran.length = 0;
      await using runner = await desk(ran);
      const handler = await adornHandler(runner, { authenticate: () => DEV });
      const [path, body] = DOORS[door]?.(await linesOf(from)) ?? [];
      const request = new Request(`http://localhost${path ?? ''}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect((await handler(request)).ok).toBe(true);
      const [session] = await runner.sessions.listSessions({ appName: 'clerk', userId: 'ada' });
      const [open, ...others] = await runner.pending({ userId: 'ada', sessionId: session?.id ?? '' });
      expect(others).toEqual([]);
      expect(open).toMatchObject({ requester: { id: 'dev', tenant: 'tools' } });
      expect([open?.approvals, ran]).toEqual([undefined, []]);
      await handler.close();
    },
  );
});

function desk(ran: unknown[]): Promise<Runner> {
  const pay = new FunctionTool({
    ...{ name: 'pay', description: 'Pays.', parameters: { type: 'object', properties: {} } },
    approvers: { role: 'manager', count: 2 },
    run: () => void ran.push('paid'),
  });
  return createRunner(defineAgent({ name: 'clerk', model: null, tools: [pay] }), { appName: 'clerk' });
}

async function linesOf(runner: Runner): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportSession(runner.sessions, { appName: runner.appName, ...address }))
    lines.push(line);
  return lines;
}
