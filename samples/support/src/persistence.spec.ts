import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';

import { chat, latestSession } from '@adorn/cli';
import { sqlStorage } from '@adorn/storage';
import { eventsOf, OfflineModel } from '@adorn/testing';
import { createRunner, type Runner } from 'adorn';

import { Support } from './support.agent.js';

describe('the shop that was left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-support-'));
  const store = join(folder, 'support.db');
  const address = { userId: 'user', sessionId: 'monday' };

  beforeAll(async () => {
    await using runner = await open();
    for (const message of ['I am ada.keller@example.com, postcode 10969', 'Refund 100 euros for W2611340']) {
      await eventsOf(runner.run({ ...address, message }));
    }
  }, 60_000);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('knows the conversation and what it remembered when it is started again', async () => {
    await using runner = await open();

    expect(await latestSession(runner)).toBe('monday');
    const session = await runner.sessions.getSession({ appName: runner.appName, ...address });
    expect(session?.events[0]?.text).toBe('I am ada.keller@example.com, postcode 10969');
    expect(session?.state['customer_name']).toBe('Ada Keller');
  });

  it('shows how it ended, and asks again what nobody answered', async () => {
    await using runner = await open();
    const output = new PassThrough();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    let written = '';
    const asked = new Promise<void>((resolve) => {
      output.on('data', (piece: Buffer) => {
        written += piece.toString();
        if (written.includes('y/n › ')) resolve();
      });
    });

    const talking = chat(runner, { sessionId: await latestSession(runner), input, output });
    await asked;
    input.emit('data', Buffer.from('y\r/quit\r'));
    await talking;

    expect(written).toContain('› Refund 100 euros for W2611340');
    expect(written).toContain('? Refund 100.00 EUR for order W2611340 to the account that paid for it?');
    expect(written).toMatch(/← \{status: "ok"/);
    expect(await runner.pending(address)).toEqual([]);
  });

  function open(): Promise<Runner> {
    return createRunner(Support, { model: new OfflineModel(), modules: [sqlStorage(store)] });
  }
});
