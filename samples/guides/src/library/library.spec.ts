import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runOccurrence } from '@adorn/schedules';
import { callsTool, says } from '@adorn/testing';
import { testRunner } from '@adorn/testing/runner';

import { Desk, library } from './desk.agent.js';
import { Loans } from './loans.js';
import { NightlySums } from './nightly-sums.js';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));
const DUNE = { id: '1', tenant: 'acme', title: 'Dune', cents: 300, at: new Date('2026-11-28T23:30:00Z') };
const EMMA = { id: '2', tenant: 'globex', title: 'Emma', cents: 150, at: new Date('2026-11-29T22:30:00Z') };
const SUMS = [
  { tenant: 'acme', date: '2026-11-29', cents: 300 },
  { tenant: 'globex', date: '2026-11-29', cents: 150 },
];

describe('the nightly sums', () => {
  it('are of yesterday in Berlin, for each tenant, and the same if the night comes again', async () => {
    await using runner = await testRunner(Desk, { modules: [library(':memory:')] });
    const loans = runner.get(Loans);
    const today = new Date('2026-11-29T23:30:00Z');
    for (const loan of [DUNE, EMMA, { ...DUNE, id: '3', at: today }]) loans.add(loan);

    const { occurrence } = await runOccurrence(runner, 'NightlySums.nightly', {
      services: [NightlySums],
      dueAt: new Date('2026-11-30T01:00:00Z'),
    });
    // As after a crash.
    await runner.get(NightlySums).nightly(occurrence);

    expect(loans.sums()).toEqual(SUMS);
  });

  describe('in three processes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'adorn-library-'));
    const path = join(folder, 'library.db');
    const machines: Machine[] = [];

    afterEach(async () => {
      for (const machine of machines) await machine.kill();
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    it('are made once, though the process that has begun is killed in the middle', async () => {
      const loans = new Loans(path);
      for (const loan of [DUNE, EMMA]) loans.add(loan);
      for (let count = 0; count < 3; count++) machines.push(new Machine(join(folder, 'app.db'), path));
      for (const machine of machines) await firstToSay('ready', [machine]);

      for (const machine of machines) machine.advance(60);
      const killed = await firstToSay('acme', machines);
      await killed.kill();
      expect(loans.sums()).toEqual(SUMS.slice(0, 1));

      const others = machines.filter((machine) => machine !== killed);
      for (const machine of others) machine.advance(45);
      const next = await firstToSay('globex', others);
      // Whoever has not worked looks again.
      for (const machine of others) machine.advance(120);
      await Promise.all(others.map((machine) => machine.close()));

      expect(killed.sums).toEqual(['acme']);
      expect(others.flatMap(({ sums }) => sums)).toEqual(['acme', 'globex']);
      expect(next.sums).toEqual(['acme', 'globex']);
      expect(loans.sums()).toEqual(SUMS);
      loans.close();
    }, 120_000);
  });
});

describe('the desk', () => {
  it('stores a loan for the library of the reader', async () => {
    const model = [callsTool('lend', { title: 'Dune', cents: 300 }), says('Enjoy it.')];
    await using runner = await testRunner(Desk, { model, modules: [library(':memory:')] });

    await runner.ask('Dune, please', { userId: 'acme.ada', by: { id: 'acme.ada', tenant: 'acme' } });

    expect(runner.get(Loans).tenants()).toEqual(['acme']);
  });
});

/** A process of the application. It is one minute to two in the morning, until the test moves its clock. */
class Machine {
  private readonly process: ChildProcessWithoutNullStreams;
  private output = '';

  constructor(store: string, path: string) {
    const args = ['--input-type=module', '--eval', PROGRAM, store, path];
    this.process = spawn(process.execPath, args, { cwd: SAMPLE });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.on('data', (piece: Buffer) => (this.output += piece.toString()));
  }

  /** The tenants whose sums it has stored. */
  get sums(): string[] {
    return this.output.split('\n').filter((line) => line === 'acme' || line === 'globex');
  }

  says(word: string): boolean {
    if (this.process.exitCode !== null) throw new Error(this.output);
    return this.output.split('\n').includes(word);
  }

  advance(seconds: number): void {
    this.process.stdin.write(`${String(seconds)}\n`);
  }

  async close(): Promise<void> {
    this.process.stdin.end();
    if (this.process.exitCode === null) await once(this.process, 'close');
    if (this.process.exitCode !== 0) throw new Error(this.output);
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGKILL');
    await once(this.process, 'close');
  }
}

async function firstToSay(word: string, machines: readonly Machine[]): Promise<Machine> {
  for (;;) {
    const machine = machines.find((one) => one.says(word));
    if (machine) return machine;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const PROGRAM = `
  import { createInterface } from 'node:readline';
  import { startSchedules } from '@adorn/schedules';
  import { sqlStorage } from '@adorn/storage';
  import { ManualClock, OfflineModel } from '@adorn/testing';
  import { Clock, ContainerModule, createRunner } from 'adorn';
  import { Desk } from './build/library/desk.agent.js';
  import { Loans } from './build/library/loans.js';
  import { NightlySums } from './build/library/nightly-sums.js';

  const [store, path] = process.argv.slice(1);

  class SlowLoans extends Loans {
    storeSum(tenant, occurrence, day) {
      const isFirst = this.sums().length === 0;
      super.storeSum(tenant, occurrence, day);
      process.stdout.write(tenant + '\\n');
      // Until the test kills it.
      while (isFirst);
    }
  }

  const clock = new ManualClock(Date.UTC(2026, 10, 30, 0, 59) / 1000);
  const services = new ContainerModule(({ bind }) => {
    bind(Clock).toConstantValue(clock);
    bind(Loans).toConstantValue(new SlowLoans(path));
    bind(NightlySums).toSelf().inSingletonScope();
  });
  const runner = await createRunner(Desk, { model: new OfflineModel(), modules: [sqlStorage(store), services] });
  const schedules = await startSchedules(runner, { services: [NightlySums] });
  process.stdout.write('ready\\n');
  for await (const seconds of createInterface(process.stdin))
    for (let count = 0; count < Number(seconds); count++) await clock.advance(1000);
  await schedules.close();
  await runner.close();
`;
