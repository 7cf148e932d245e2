import type { ReadTime } from '@adorn/core/backend';

import { describeEachDatabase } from './database/backends.fixture.js';
import type { Database } from './database/database.js';
import { faultsOf, Machines, MortalProcess, Scene, WRITES } from './steering.fixture.js';

/** How many conversations are made up; `ADORN_PROPERTY_RUNS=500` for a long search. */
const CONVERSATIONS = Number(process.env['ADORN_PROPERTY_RUNS'] ?? 24);

/** How many conversations go on at a time. */
const AT_A_TIME = 12;

/** How long messages may take to be read when all is over, in milliseconds. */
const LONGEST_MS = 60_000;

const TIMES: readonly ReadTime[] = ['now', 'next', 'instead'];

describeEachDatabase((_name, open) => {
  it('reads each message once and in order, whatever processes send, cancel and approve meanwhile, and whichever die', async () => {
    const database = await open();
    const machines = await Machines.start(database, 3);
    const seeds = Array.from({ length: CONVERSATIONS }, (_, index) => index + 1);
    const faults: string[] = [];
    const steerOnes = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift())
        faults.push(...(await steer(machines, seed)));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, steerOnes));
    await machines.close();
    expect(faults).toEqual([]);
  }, 3_600_000);

  it.each(TIMES)(
    'loses no message sent with `%s`, and reads none twice, if the process dies behind any write',
    async (when) => {
      const database = await open();
      const faults: string[] = [];
      for (let writes = 1, isDead = true; isDead; writes++) {
        const ended = await dieAfter(database, writes, when);
        isDead = ended.isDead;
        faults.push(...ended.faults.map((fault) => `after ${String(writes)} writes: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
    300_000,
  );
});

/** A made-up conversation: its steps, in an order that its number decides. */
async function steer(machines: Machines, seed: number): Promise<string[]> {
  const sessionId = `s${String(seed)}`;
  const scene = new Scene();
  const random = randomOf(seed);
  const pick = <One>(list: readonly [One, ...One[]]): One =>
    list[Math.floor(random() * list.length)] ?? list[0];
  machines.enter(sessionId, scene);
  const address = { userId: 'ada', sessionId };
  const { runner } = await machines.pick(random());
  runner.run({ ...address, message: `Begin ${String(1 + (seed % 2))}` }).catch(() => undefined);
  const length = 4 + Math.floor(random() * 8);
  for (let index = 0; index < length; index++) {
    const one = await machines.pick(random());
    const act = pick(['send', 'send', 'send', 'send', 'finish', 'cancel', 'approve', 'wait', 'stroke']);
    const text = `Message ${String(seed * 1000 + index * 10 + Math.floor(random() * 4))}`;
    const when = pick<ReadTime>(['now', 'now', 'next', 'instead']);
    // What a store refuses, or a process that dies, was not sent.
    if (act === 'send') await one.send(sessionId, scene, when, text).catch(() => undefined);
    else if (act === 'finish') scene.finish();
    else if (act === 'cancel') await cancel(one, sessionId, scene).catch(() => undefined);
    else if (act === 'approve') await approve(one, sessionId, scene).catch(() => undefined);
    else if (act === 'wait') await pause(random() * 400);
    else one.sessions.stroke = { write: pick(WRITES), outcome: pick(['fails', 'dies before', 'dies after']) };
  }
  scene.isFree = true;
  await quiet(machines.janitor, sessionId, scene);
  const session = await machines.janitor.runner.sessions.getSession({ appName: 'clerk', ...address });
  return faultsOf(session?.events ?? [], scene).map((fault) => `seed ${String(seed)}: ${fault}`);
}

async function cancel({ runner }: MortalProcess, sessionId: string, { cancelled }: Scene): Promise<void> {
  const address = { userId: 'ada', sessionId };
  const run = await runner.findOpenRun(address);
  if (!run) return;
  cancelled.add(run.invocationId);
  await runner.cancelRun({ ...address, invocationId: run.invocationId });
}

async function approve({ runner }: MortalProcess, sessionId: string, scene: Scene): Promise<void> {
  const [request] = await runner.pending({ userId: 'ada', sessionId });
  if (!request) return;
  scene.approved++;
  runner.approve(request).catch(() => undefined);
}

/** One process has the run, and dies; another sends beside it; a third one recovers what they leave. */
async function dieAfter(database: Database, writes: number, when: ReadTime) {
  const sessionId = `${when}-${String(writes)}`;
  const address = { userId: 'ada', sessionId };
  const scene = new Scene();
  scene.isFree = true;
  const [first, second] = [await MortalProcess.start(database), await MortalProcess.start(database)];
  for (const one of [first, second]) one.enter(sessionId, scene);
  first.sessions.left = writes;
  const run = first.runner.run({ ...address, message: 'Begin 2' });
  const ended = run.catch(() => undefined);
  for (const [index, one] of [second, first, second].entries())
    await one.send(sessionId, scene, when, `Message ${String(4 * index + 1)}`).catch(() => undefined);
  await ended;
  if (!first.sessions.isDead) await quiet(first, sessionId, scene);
  const isDead = first.sessions.isDead;
  first.sessions.left = -1;
  await Promise.all([first.runner.close(), second.runner.close()]);

  const third = await MortalProcess.start(database, { takeOverAfter: 0 });
  third.enter(sessionId, scene);
  if (isDead) await third.runner.recover({ olderThan: 0 });
  await quiet(third, sessionId, scene);
  const session = await third.runner.sessions.getSession({ appName: 'clerk', ...address });
  await third.runner.close();
  // A call that was under way when its process died may be made again.
  scene.effects.clear();
  return { isDead, faults: faultsOf(session?.events ?? [], scene) };
}

/** Waits until no run is open, and nothing waits to be read. */
async function quiet({ runner }: MortalProcess, sessionId: string, scene: Scene): Promise<void> {
  const key = { userId: 'ada', sessionId };
  for (const begun = performance.now(); performance.now() - begun < LONGEST_MS;) {
    scene.finish();
    const [run, mail] = await Promise.all([
      runner.findOpenRun(key),
      runner.sessions.listMail({ appName: 'clerk', ...key }),
    ]);
    if (!run && mail.length === 0) return;
    await pause(50);
  }
  scene.sent.push({ id: '', text: 'quiet at the end', when: 'now' });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), state | 1);
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
  };
}
