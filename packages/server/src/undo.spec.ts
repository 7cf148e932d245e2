import { createRunner, defineAgent, type Runner, tool, undo } from '@adorn/core';

import { createAdornClient } from './client/index.js';
import { type AdornServer, serve } from './serve.js';
import type { Principal } from './server-options.js';

const PEOPLE: Readonly<Record<string, Principal>> = {
  ada: { id: 'ada' },
  dev: { id: 'dev', isDeveloper: true, roles: ['manager'] },
};
const MIA = { id: 'mia', roles: ['manager'] };
const ANY = { type: 'object' } as const;
const did: string[] = [];

class Desk {
  @tool({ description: 'Files.', effect: 'write', parameters: ANY })
  file(): string {
    did.push('file');
    return 'F-1';
  }

  @undo('file', { confirm: true, approvers: { role: 'manager' } })
  withdraw(filed: string): void {
    did.push(`withdraw ${filed}`);
  }
}

describe('POST /adorn/apps/:app/sessions/:session/undo', () => {
  let runner: Runner;
  let server: AdornServer;

  beforeAll(async () => {
    const Clerk = defineAgent({ name: 'clerk', model: null, tools: [Desk] });
    runner = await createRunner(Clerk, { appName: 'clerk' });
    const authenticate = ({ headers }: Request) => PEOPLE[headers.get('x-user') ?? ''];
    server = await serve(runner, { port: 0, page: false, authenticate });
  });

  afterAll(async () => {
    await server.close();
    await runner.close();
  });

  async function post(user: string, body: object) {
    const headers = { 'x-user': user, 'content-type': 'application/json' };
    const path = `${server.url}/adorn/apps/clerk/sessions/s1/undo`;
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, text: await response.text() };
  }

  it('undoes a run for a developer, who does not approve the own undo, and for nobody else', async () => {
    const key = { userId: 'dev', sessionId: 's1' };
    const { invocationId } = await runner.call({ ...key, tool: 'file' });

    expect((await post('ada', { invocationId })).status).toBe(403);
    expect((await post('dev', {})).status).toBe(400);
    expect((await post('dev', { invocationId, calls: [1] })).status).toBe(400);
    const { status, text } = await post('dev', { invocationId });
    const [request] = await runner.pending({ ...key, for: MIA });

    expect([status, text.includes('"withdraw"'), request?.tool]).toEqual([200, true, 'withdraw']);
    expect(await runner.pending({ ...key, for: { id: 'dev', roles: ['manager'] } })).toEqual([]);
    if (request) await runner.approve(request, { by: MIA });
    expect(did).toEqual(['file', 'withdraw F-1']);
  });

  it('is a method of the typed client, whose last frame says what became of each call', async () => {
    const client = createAdornClient(server.url, { headers: { 'x-user': 'dev' } });
    const key = { userId: 'dev', sessionId: 's2' };
    const { invocationId } = await runner.call({ ...key, tool: 'file' });
    const chat = client.session('s2');

    const { status, undo: report } = await chat.undo(invocationId);
    const [request] = await runner.pending(key);
    if (request) await runner.approve(request, { by: MIA });

    expect(status).toBe('paused');
    expect(report).toMatchObject({ invocationId, isComplete: false, calls: [{ outcome: 'waiting' }] });
    expect(await chat.undo(invocationId)).toMatchObject({ undo: { isComplete: true } });
  });
});
