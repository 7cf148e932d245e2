import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { AdornError, type PendingRequest } from '@adorn/core';
import type { Fleet, Submission } from '@adorn/fleet';

import { answersTo } from './answers.js';
import { DIRECTOR } from './desk.js';
import { openMachine, type Place, USER } from './open-machine.js';
import { OutsideFiles, RadioStation } from './outside.js';
import { sessionIdOf, stepOf, type StepMessage, stepsIn } from './step.js';
import { stepClock } from './stepped-date.js';

/** How many sessions take a step at the same time, and the pause between the begins of two of them. */
const AT_ONCE = 24;
const PAUSE_MS = 180;
/** The pause between two messages of the radio. */
const RADIO_MS = 900;

/**
 * `server.child.js PLACE`: takes step after step of each session, and says `accepted ID` for each submission that was
 * acknowledged and `gap …` for each event that is not the next one. `clock MS` steps its clock; `finish` lets it complete
 * what was begun, and end.
 */
class Server {
  private readonly next = new Map<number, number>();
  private readonly active = new Map<number, Promise<void>>();
  private isFinishing = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly place: Place,
  ) {}

  hear(line: string): void {
    if (line === 'finish') this.isFinishing = true;
    else stepClock(Number(line.split(' ')[1]));
  }

  async serve(): Promise<void> {
    const broadcast = this.broadcast();
    for (let turn = 0; !this.isFinishing; turn++) {
      await this.begin(turn % this.place.sessions);
      await setTimeout(PAUSE_MS);
    }
    await Promise.all(this.active.values());
    // What a server before this one has begun may wait for an answer.
    for (let session = 0; session < this.place.sessions; session++)
      if (!this.next.has(session)) await this.begin(session);
    await Promise.all([...this.active.values(), broadcast]);
  }

  /** Takes the messages of a platform, and what no server before this one has acknowledged. */
  private async broadcast(): Promise<void> {
    const station = new RadioStation(new OutsideFiles(this.place.deeds), this.fleet, retried);
    await station.repeat();
    while (!this.isFinishing) {
      await station.sendNext();
      await setTimeout(RADIO_MS);
    }
  }

  private async begin(session: number): Promise<void> {
    while (this.active.size >= AT_ONCE) await Promise.race(this.active.values());
    if (this.active.has(session)) return;
    const step = this.takeStep(session).finally(() => this.active.delete(session));
    this.active.set(session, step);
  }

  /** At the first look at a session, the last step that another server has begun is taken again, under the same ids. */
  private async takeStep(session: number): Promise<void> {
    const sessionId = sessionIdOf(session);
    const index = this.next.get(session) ?? Math.max(0, (await this.stepsOf(sessionId)) - 1);
    const { messages, isApproved, isUndone, isRepeated } = stepOf(this.place.seed, session, index);
    for (const message of messages) await this.submit(submissionOf(sessionId, message));
    const last = messages.at(-1);
    if (!last) return;
    await this.untilOver(sessionId, last.id);
    const pending = await retried(() => this.fleet.runner.pending({ userId: USER, sessionId }));
    // What another server has accepted behind this step may have begun by now, and wait too.
    const request = pending.find(({ invocationId }) => messages.some(({ id }) => id === runOf(invocationId)));
    if (request) {
      for (const { suffix, by } of answersTo(request, isApproved)) {
        const address = { userId: USER, sessionId, invocationId: `${last.id}${suffix}`, ...(by && { by }) };
        if (!(await this.isOpen(sessionId, request))) break;
        const answer =
          request.kind === 'result'
            ? { ...address, supply: request, value: { result: 'delivered' } }
            : { ...address, ...(isApproved ? { approve: request } : { reject: request }) };
        if (by === DIRECTOR) await this.submitLater(answer);
        else await this.submit(answer);
        await this.untilOver(sessionId, address.invocationId);
      }
    }
    if (isUndone) {
      const address = { userId: USER, sessionId, invocationId: `${last.id}.u` };
      await this.submit({ ...address, undo: last.id });
      await this.untilOver(sessionId, address.invocationId);
    }
    if (isRepeated) await this.submit(submissionOf(sessionId, last));
    this.next.set(session, index + 1);
  }

  private async stepsOf(sessionId: string): Promise<number> {
    const { runner } = this.fleet;
    const key = { appName: runner.appName, userId: USER, sessionId };
    const session = await retried(() => runner.sessions.getSession(key));
    return stepsIn((session?.events ?? []).map(({ invocationId }) => invocationId));
  }

  private async submit(submission: Submission): Promise<void> {
    await retried(() => this.fleet.submit(submission));
    console.log(`accepted ${String(submission.invocationId)}`);
  }

  private async isOpen(sessionId: string, { id }: PendingRequest): Promise<boolean> {
    const pending = await retried(() => this.fleet.runner.pending({ userId: USER, sessionId }));
    return pending.some((request) => request.id === id);
  }

  /** Submits the answer of somebody who may not give it yet. One that comes too early by the clock of a worker is dropped. */
  private async submitLater(answer: Submission): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const isRefused = await retried(() =>
        this.fleet.submit(answer).then(
          () => false,
          (error: unknown) => {
            if (AdornError.is(error) && error.code === 'APPROVER_NOT_ALLOWED') return true;
            throw error;
          },
        ),
      );
      if (!isRefused) return;
      await setTimeout(100);
    }
  }

  private async untilOver(sessionId: string, invocationId: string): Promise<void> {
    let afterSeq = -1;
    await retried(async () => {
      for await (const { seq } of this.fleet.follow({ userId: USER, sessionId, invocationId, afterSeq })) {
        if (seq !== afterSeq + 1) console.log(`gap ${sessionId}: ${String(seq)} behind ${String(afterSeq)}`);
        afterSeq = seq;
      }
    });
  }
}

/** The run of an invocation: that of an agent which was called as a tool is below it. */
function runOf(invocationId: string): string {
  return invocationId.split('.sub.', 1)[0] ?? invocationId;
}

function submissionOf(sessionId: string, { id, text, delay }: StepMessage): Submission {
  return { userId: USER, sessionId, invocationId: id, message: text, delay };
}

/** The store may be down: the same is attempted again, as a caller would. */
async function retried<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      console.error(error);
      await setTimeout(200);
    }
  }
}

const place = JSON.parse(process.argv[2] ?? '') as Place;
const { fleet } = await openMachine(place);
const server = new Server(fleet, place);
createInterface(process.stdin).on('line', (line) => {
  server.hear(line);
});
console.log('serves');
await server.serve();
process.exit();
