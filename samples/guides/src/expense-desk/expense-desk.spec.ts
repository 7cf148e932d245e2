import { createAdornClient } from '@adorn/server/client';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import { createRunner } from 'adorn';

import { Desk } from './desk.agent.js';
import { ExpenseBook } from './expenses.js';
import { serveDesk } from './serve-desk.js';

async function openDesk(euros: number) {
  const args = { category: 'travel', euros, description: 'The fair' };
  const model = new ScriptedModel(callsTool('submit_expense', args), says('Filed.'));
  const runner = await createRunner(Desk, { model });
  const server = await serveDesk(runner, 0);
  const clientOf = (user: string) => createAdornClient(server.url, { headers: { cookie: `user=${user}` } });
  const chat = await clientOf('ada').createSession();
  await chat.send('File my trip.');
  const close = async () => {
    await server.close();
    await runner.close();
  };
  const { filed } = runner.get(ExpenseBook);
  return { chat, clientOf, filed, close, [Symbol.asyncDispose]: close };
}

describe('the expense desk', () => {
  it('files a small expense at once', async () => {
    await using desk = await openDesk(40);
    expect((await desk.chat.history()).pending).toEqual([]);
    expect(desk.filed).toMatchObject([{ userId: 'ada', euros: 40 }]);
  });

  it('lets a manager approve what an employee files, and nobody the own expense, by whatever means', async () => {
    await using desk = await openDesk(900);
    const [own] = await desk.chat.pending();

    for (const answer of [{}, { args: { ...own!.args, euros: 1 } }, { remember: 'session' as const }])
      await expect(desk.chat.approve(own!, answer)).rejects.toMatchObject({ code: 'APPROVER_NOT_ALLOWED' });
    const ben = desk.clientOf('ben');
    expect((await ben.inbox()).requests).toEqual([]);
    await expect(ben.sessionOf(own!).approve(own!)).rejects.toMatchObject({ status: 404 });

    const mia = desk.clientOf('mia');
    const { requests } = await mia.inbox();
    expect(requests.map(({ userId, hint }) => [userId, hint])).toEqual([
      ['ada', 'The fair: 900 EUR for travel, limit 500 EUR'],
    ]);
    expect(await mia.sessionOf(requests[0]!).approve(requests[0]!)).toMatchObject({ status: 'answered' });
    const { frames } = await desk.chat.history();
    expect(frames.at(-1)).toMatchObject({ kind: 'text', text: 'Filed.' });
    expect(desk.filed).toMatchObject([{ userId: 'ada', euros: 900, approvedBy: 'mia' }]);
  });

  it('wants two managers for a large expense', async () => {
    await using desk = await openDesk(9_000);
    const approve = async (user: string) => {
      const client = desk.clientOf(user);
      const [request] = (await client.inbox()).requests;
      return (await client.sessionOf(request!).approve(request!)).status;
    };

    expect(await approve('mia')).toBe('paused');
    expect(desk.filed).toEqual([]);
    expect(await approve('max')).toBe('answered');
    expect(desk.filed).toMatchObject([{ euros: 9_000 }]);
  });
});
