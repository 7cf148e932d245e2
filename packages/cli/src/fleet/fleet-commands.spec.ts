/** @slow */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { type Fleet, InProcessQueue, openFleet } from '@adorn/fleet';
import { sqlStorage } from '@adorn/storage';
import { ScriptedModel } from '@adorn/testing';
import { createRunner, defineAgent, type Runner } from 'adorn';

import { nodeOfQueues } from '../../../fleet/src/later-node.fixture.js';
import { newPostgresDatabase } from '../../../storage/src/database/postgres-database.fixture.js';

/** Programs are started here, on a machine that may have other work. */
const SLOW = 60_000;

const node = nodeOfQueues();

const AGENT = `
import { defineAgent } from 'adorn';
import { says, ScriptedModel } from '@adorn/testing';
export const clerk = defineAgent({ name: 'clerk', instruction: '', model: new ScriptedModel(says('Noted.')) });
`;

const GOOD = { userId: 'ada', sessionId: 'good', message: 'hi' };
/** No message: it fails in each attempt. */
const POISON = { userId: 'ada', sessionId: 'bad', invocationId: 'poison', message: 7 as unknown as string };

if (existsSync(node)) {
  describe('adorn worker and adorn sessions parked', () => {
    let url: string;
    let folder: string;
    let runner: Runner<unknown>;
    let fleet: Fleet;
    let workers: ChildProcess[] = [];

    beforeAll(async () => {
      url = await newPostgresDatabase();
      mkdirSync('packages/cli/build', { recursive: true });
      // Inside of this package, from where the packages of Adorn are found.
      folder = mkdtempSync(resolve('packages/cli/build/fleet-'));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'clerk.agent.js'), AGENT);
      const root = defineAgent({ name: 'clerk', instruction: '' });
      runner = await createRunner(root, { modules: [sqlStorage(url)], model: new ScriptedModel() });
      fleet = await openFleet(runner, { queue: new InProcessQueue(), url });
    }, SLOW);
    afterEach(async () => {
      for (const worker of workers.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
        worker.kill('SIGKILL');
        await once(worker, 'exit');
      }
      workers = [];
    });
    afterAll(async () => {
      await fleet.close();
      await runner.close();
      rmSync(folder, { recursive: true });
    }, SLOW);

    it(
      'run what another machine has accepted; list, release and drop what has failed',
      async () => {
        const { invocationId } = await fleet.submit(GOOD);
        await fleet.submit(POISON);
        const first = work('--attempts', '1');
        expect(await textsOf({ ...GOOD, invocationId })).toEqual(['hi', 'Noted.']);
        await textsOf(POISON);
        expect(await parked()).toMatch(/^ada {2}bad {2}poison {2}1 attempts {2}.*message.*\n1 parked\n$/s);
        first.kill('SIGTERM');
        expect(await once(first, 'exit')).toEqual([0, null]);

        expect(await parked('--release', 'poison')).toBe('poison released\n');
        expect(await parked()).toBe('0 parked\n');
        work('--attempts', '1');
        await textsOf(POISON);
        expect(await parked('--drop', 'poison')).toBe('poison dropped\n');
        expect(await parked()).toBe('0 parked\n');
      },
      SLOW,
    );

    it.each([
      [['sessions', 'parked', '.', '--drop', 'none'], 'No parked invocation has the id none'],
      [['worker', '.', '--attempts', '0'], '--attempts is "0"'],
      [['worker', '.', '--concurrency', 'many'], '--concurrency is "many"'],
      [['worker', '.', '--store', 'file.db'], '--store is "file.db"'],
      [
        ['worker', '.', '--restate', 'http://127.0.0.1:9'],
        '--restate takes the ingress and the admin address',
      ],
    ])(
      'refuse %j in a sentence',
      async (args, sentence) => {
        const hasStore = args.includes('--store');
        const child = adorn(...args, ...(hasStore ? [] : ['--store', url]));
        const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
        expect(said).toContain(sentence);
        expect(said).not.toContain('    at ');
        expect(child.exitCode).toBeGreaterThan(0);
      },
      SLOW,
    );

    function work(...args: string[]): ChildProcess {
      const worker = adorn('worker', '.', '--store', url, ...args);
      workers.push(worker);
      return worker;
    }

    /** What `adorn sessions parked` prints. */
    async function parked(...args: string[]): Promise<string> {
      const child = adorn('sessions', 'parked', '.', '--store', url, ...args);
      const [said, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
      if (faults !== '') throw new Error(faults);
      return said;
    }

    function adorn(...args: string[]) {
      return spawn(node, [resolve('packages/cli/bin/adorn.js'), ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    }

    /** The texts of a session, once an invocation has ended or is parked. */
    async function textsOf(input: Parameters<Fleet['follow']>[0]): Promise<string[]> {
      const texts: string[] = [];
      const { userId, sessionId, invocationId } = input;
      for await (const { event } of fleet.follow({ userId, sessionId, invocationId })) texts.push(event.text);
      return texts;
    }
  });
} else {
  it.skip('run what another machine has accepted; skipped, as there is no Node.js 22.12 here', () =>
    undefined);
}
