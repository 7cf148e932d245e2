import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SAMPLE = fileURLToPath(new URL('..', import.meta.url));

describe('a refund over the limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-restart-'));
  const store = join(folder, 'support.db');
  const ledger = `${store}.refunds.jsonl`;

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is made once, though the program is killed before the yes and again while the money goes back', async () => {
    await killedAt('asked', 'ask');
    expect(existsSync(ledger)).toBe(false);

    await killedAt('paid', 'approve');
    expect(payments()).toHaveLength(1);

    const resumed = await ended('resume');
    expect(resumed).toContain('refund_order {"status":"ok","orderId":"W2611340","refunded":"100.00 EUR"');
    expect(payments()).toEqual([{ key: expect.any(String), orderId: 'W2611340', cents: 10_000 }]);
    expect(await ended('pending')).toContain('pending 0');
  }, 120_000);

  function payments(): unknown[] {
    const lines = readFileSync(ledger, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  /** Plays one part of the story, and kills the program when it says the word. */
  async function killedAt(word: string, part: string): Promise<void> {
    const { output, signal } = await play(part, (said) => said.includes(word));
    if (signal !== 'SIGKILL') throw new Error(`the program ended by itself: ${output}`);
  }

  async function ended(part: string): Promise<string> {
    const { output } = await play(part, () => false);
    return output;
  }

  function play(part: string, isEnough: (output: string) => boolean) {
    const args = ['--input-type=module', '--eval', PROGRAM, part, store];
    const program = spawn(process.execPath, args, { cwd: SAMPLE });
    return new Promise<{ output: string; signal: NodeJS.Signals | null }>((resolve, reject) => {
      let output = '';
      const read = (piece: Buffer): void => {
        output += piece.toString();
        if (isEnough(output)) program.kill('SIGKILL');
      };
      program.stdout.on('data', read);
      program.stderr.on('data', read);
      program.on('error', reject);
      program.on('close', (_code, signal) => {
        resolve({ output, signal });
      });
    });
  }
});

/** The support desk as a server runs it: one process a part. */
const PROGRAM = `
  import { sqlStorage } from '@adorn/storage';
  import { OfflineModel } from '@adorn/testing';
  import { ContainerModule, createRunner } from 'adorn';
  import { Support } from './build/support.agent.js';
  import { Payments, StoredPayments } from './build/shop/payments.js';

  const [part, store] = process.argv.slice(1);
  const address = { userId: 'ada', sessionId: 'monday' };

  class Ledger extends StoredPayments {
    payBack(payment) {
      const isNew = super.payBack(payment);
      // The money is on its way, and the process never hears of anything again.
      if (part === 'approve') for (process.stdout.write('paid'); ; );
      return isNew;
    }
  }

  const payments = new ContainerModule(({ bind }) => {
    bind(Payments).toConstantValue(new Ledger(store + '.refunds.jsonl'));
  });
  const runner = await createRunner(Support, { model: new OfflineModel(), modules: [sqlStorage(store), payments] });
  if (part === 'ask') {
    for (const message of ['I am ada.keller@example.com, postcode 10969', 'Refund 100 euros for W2611340'])
      await runner.run({ ...address, message });
    process.stdout.write('asked');
    setInterval(() => {}, 1000);
  } else {
    const [request] = await runner.pending(address);
    if (part === 'approve') await runner.approve(request, { by: 'ada', channel: 'desk' });
    if (part === 'resume') {
      const { events } = await runner.resume({ ...address, config: { takeOverAfter: 100 } });
      for (const { functionResponses } of events)
        for (const { name, response } of functionResponses) console.log(name, JSON.stringify(response));
    }
    if (part === 'pending') console.log('pending', request === undefined ? 0 : 1);
    await runner.close();
  }
`;
