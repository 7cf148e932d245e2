import { setTimeout as sleep } from 'node:timers/promises';

import type { Check } from '@adorn/conformance/check';
import type { UndoneCall, UndoReport } from '@adorn/core/backend';
import type { Database } from '@adorn/storage';

import { Child } from '../child-process.js';
import { DeedLog } from './deed-log.js';
import { Life } from './life.js';
import { openDatabase, type OpenProcess, openProcess, type Place } from './open-process.js';
import { type Plan, planOf } from './plan.js';
import type { ChildWork } from './process.child.js';
import {
  answerInTurn,
  codeOf,
  converse,
  firstRunOf,
  type Outcome,
  rescue,
  type Rescue,
  USER,
} from './rescue.js';
import { UNDONE } from './trees.js';
import { UNDOS } from './undoable-desk.js';
import { faultsOf } from './verdict.js';

/** How long a part of a round may last, in milliseconds: also on a machine under load, and with several leases in it. */
const LIMIT_MS = 60_000;
/** How far the clocks are ahead, in seconds. Which process lives is told by the clock of the store alone. */
const LATER = { dying: 0, rescuing: 600, settling: 1200 };
const RESCUERS = 3;
/** How long what is left may stay open while it is recovered and answered, in milliseconds. */
const SETTLED_WITHIN_MS = 40_000;
const STEP_MS = 10;

/** The processes of a series of rounds, of which only one dies in each round. */
export class Rounds {
  private writes = 0;

  private constructor(
    private readonly place: Place,
    /** Of the processes that die. */
    private readonly database: Database,
    private readonly rescuers: readonly OpenProcess[],
    private readonly settler: OpenProcess,
  ) {}

  static async open(place: Place): Promise<Rounds> {
    const settler = await openProcess(place, { later: LATER.settling });
    const rescuers: OpenProcess[] = [];
    while (rescuers.length < RESCUERS) {
      rescuers.push(await openProcess(place, { later: LATER.rescuing }));
    }
    const rounds = new Rounds(place, openDatabase(place.url), rescuers, settler);
    rounds.writes = await rounds.countWrites();
    return rounds;
  }

  async close(): Promise<void> {
    for (const { close } of [...this.rescuers, this.settler]) await close();
    await this.database.close();
  }

  /** A process dies, others take up its session, and what is left is settled. */
  async round(seed: number): Promise<Check> {
    const plan = planOf(seed, this.place.tree, this.writes);
    const { death, isReal, sessionId } = plan;
    const story = [`dies ${death.moment === 'at once' ? 'at' : 'after'} write ${String(death.behind)}`];
    const fault = await this.faultOf(plan, story).catch(
      (error: unknown) => `the round was ended by ${codeOf(error)}`,
    );
    await this.settler.sessions.deleteSession({ appName: this.place.appName, userId: USER, sessionId });
    return { what: `seed ${String(seed)}${isReal ? ' (killed)' : ''}: ${story.join(', ')}`, fault };
  }

  private async faultOf(plan: Plan, story: string[]): Promise<string | undefined> {
    const { isReal, rescuesOf, sessionId } = plan;
    const death = isReal ? this.dieKilled(plan) : this.dieHere(plan);
    if ((await within(LIMIT_MS, death)) === undefined) return 'the conversation hangs';
    const rescues = rescuesOf(await this.settler.runner.pending({ userId: USER, sessionId }));
    const doing = isReal ? this.rescueByChildren(plan, rescues) : this.rescueHere(plan, rescues);
    story.push(...rescues.map(({ at, way }) => `${way} at ${String(at)} ms`));
    const outcomes = await within(LIMIT_MS, doing);
    if (!outcomes) return 'a rescue hangs';
    story.push(
      `said ${outcomes.map(({ said, codes }) => [...said, ...codes].join('+') || 'nothing').join(' | ')}`,
    );
    const settled = await within(LIMIT_MS, this.settle(sessionId));
    if (!settled) return 'what is left cannot be settled: it hangs';
    const key = { appName: this.place.appName, userId: USER, sessionId };
    const { events = [] } = (await this.settler.sessions.getSession(key)) ?? {};
    const deeds = new DeedLog(this.place.deeds).of(sessionId);
    const faults = [...settled, ...faultsOf({ events, deeds, rescues, outcomes })];
    return faults.length === 0 ? undefined : faults.join('; ');
  }

  private async countWrites(): Promise<number> {
    const life = new Life();
    const { runner, sessions } = await this.openHere(life);
    const sessionId = 'undisturbed';
    await converse(runner, sessionId, this.isUndone);
    await sessions.deleteSession({ appName: this.place.appName, userId: USER, sessionId });
    return life.writes;
  }

  private openHere(life: Life): Promise<OpenProcess> {
    const { database, place } = this;
    return openProcess(place, { later: LATER.dying, life, database });
  }

  private async dieHere({ death, sessionId }: Plan): Promise<true> {
    const life = new Life(death);
    const { runner } = await this.openHere(life);
    await Promise.race([life.died, converse(runner, sessionId, this.isUndone)]);
    return true;
  }

  private async dieKilled({ death, sessionId }: Plan): Promise<true> {
    const child = this.start({ place: this.place, sessionId, later: LATER.dying, death });
    const code = await endOf(child);
    if (code !== null && code !== 0) throw new Error(`The process that dies ${String(await child.fault())}`);
    return true;
  }

  private rescueHere({ sessionId }: Plan, rescues: readonly Rescue[]): Promise<Outcome[]> {
    return Promise.all(
      this.rescuers.flatMap(({ runner }, index) => {
        const plan = rescues[index];
        return plan ? [rescue(runner, sessionId, plan)] : [];
      }),
    );
  }

  private async rescueByChildren({ sessionId }: Plan, rescues: readonly Rescue[]): Promise<Outcome[]> {
    const later = LATER.rescuing;
    const children = rescues.map((one) => this.start({ place: this.place, sessionId, later, rescue: one }));
    await Promise.all(children.map((child) => child.untilLines(1)));
    for (const child of children) child.tell('go');
    return Promise.all(
      children.map(async (child): Promise<Outcome> => {
        const code = await endOf(child);
        if (code !== 0) throw new Error(`A process ${String(await child.fault())}`);
        return JSON.parse(child.lines[1] ?? '') as Outcome;
      }),
    );
  }

  private start(work: ChildWork): Child {
    return new Child('process.child.js', import.meta.url, [JSON.stringify(work)]);
  }

  private get isUndone(): boolean {
    return this.place.tree === UNDONE;
  }

  /** Recovers what is open and answers what is pending, then sends a message and undoes the run, until nothing is left. */
  private async settle(sessionId: string): Promise<string[]> {
    const { runner } = this.settler;
    const left = await this.stepUntilSettled(sessionId);
    if (left !== undefined) return [left];
    const { status, error } = await runner.run({ userId: USER, sessionId, message: 'And now?' });
    if (status === 'failed') return [`the next message fails with ${String(error?.message)}`];
    const still = await this.stepUntilSettled(sessionId);
    if (still !== undefined) return [still];
    return this.isUndone ? this.undoAll(sessionId) : [];
  }

  /** Undoes the first run to its end: what is left then has an outcome that nobody knows. */
  private async undoAll(sessionId: string): Promise<string[]> {
    const { runner, sessions } = this.settler;
    const invocationId = firstRunOf(sessionId);
    const key = { appName: this.place.appName, userId: USER, sessionId };
    const { events = [] } = (await sessions.getSession(key)) ?? {};
    // The process died before it had stored the message.
    if (!events.some((event) => event.invocationId === invocationId)) return [];
    const address = { userId: USER, sessionId, invocationId };
    let last: UndoReport | undefined;
    // An undo that failed before its call began is tried again, and asks anew.
    for (let turn = 0; turn < MOST_UNDOS; turn++) {
      const { undo } = await runner.undo(address);
      last = undo;
      const left = await this.stepUntilSettled(sessionId);
      if (left !== undefined) return [left];
      if (undo?.calls.every(isSettled) === true || (await this.hasUnknownUndo(sessionId))) return [];
    }
    return [`it is not undone: ${JSON.stringify(last?.calls)}`];
  }

  /** What an undo may have done stays as it is, and with it what was done before. */
  private async hasUnknownUndo(sessionId: string): Promise<boolean> {
    const { appName } = this.place;
    const session = await this.settler.sessions.getSession({ appName, userId: USER, sessionId });
    const undos = new Set<string | undefined>(Object.values(UNDOS));
    const responses = session?.events.flatMap(({ functionResponses }) => functionResponses) ?? [];
    return responses.some(({ name, response }) => undos.has(name) && response?.['outcome'] === 'unknown');
  }

  private async stepUntilSettled(sessionId: string): Promise<string | undefined> {
    const { runner, sessions } = this.settler;
    const end = performance.now() + SETTLED_WITHIN_MS;
    for (let turn = 0; ; turn++) {
      const recovered = await runner.recover();
      const failed = recovered.filter(({ outcome }) => outcome === 'failed');
      if (failed.length > 0) return `recover fails with ${failed.map(({ error }) => codeOf(error)).join()}`;
      const pending = await runner.pending({ userId: USER, sessionId });
      const open = await sessions.listRuns({ appName: this.place.appName, status: 'open' });
      const [request] = pending;
      if (!request && open.length === 0) return undefined;
      if (performance.now() > end)
        return `${String(open.length)} runs stay open, ${String(pending.length)} requests pending`;
      // Nobody waits until the end of a run is recorded.
      if (!request) await sleep(STEP_MS);
      else await answerInTurn(runner, request, turn);
    }
  }
}

/** How often an undo is tried again. */
const MOST_UNDOS = 5;

/** Nobody undoes a call whose outcome is unknown. */
function isSettled({ outcome, reason = '' }: UndoneCall): boolean {
  return outcome === 'undone' || (outcome === 'not_undoable' && reason.includes('unknown'));
}

/** Undefined if it takes longer. */
function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([work, sleep(milliseconds, undefined, { ref: false })]);
}

/**
 * The exit code of a process; null if it killed itself.
 *
 * @throws if it hangs: it is killed then
 */
async function endOf(child: Child): Promise<number | null> {
  const code = await within(LIMIT_MS - 1_000, child.ended);
  if (code !== undefined) return code;
  await child.kill();
  throw new Error('A process hangs.');
}
