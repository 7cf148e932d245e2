import type { PendingRequest, Runner, RunResult } from '@adorn/core';
import { mayAnswer, type PrincipalInput } from '@adorn/core/backend';

import { NEVER, Life, type StoredEvents } from './life.js';
import type { CaseStandIns } from './stand-ins.js';
import type { KillFault } from '../eval-set.js';
import type { EvalAnswer } from '../users/eval-user.js';

/** A session of one case. */
export interface Place {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** What a process has come to: the end of a run, or its death. */
type Ended<Value> = { readonly value: Value } | 'died';

/** One person, several, or the user of the session. */
type People = PrincipalInput | readonly PrincipalInput[] | undefined;

/** Who answers: of several people the first who may, and who has not approved yet; the first if nobody may. */
function personOf(by: People, request: PendingRequest): PrincipalInput | undefined {
  if (!isList(by)) return by;
  const approved = new Set(request.approvals?.map((approval) => approval.by.id));
  return by.find((one) => !approved.has(idOf(one)) && mayAnswer(request, one)) ?? by[0];
}

function isList(by: People): by is readonly PrincipalInput[] {
  return Array.isArray(by);
}

function idOf(person: PrincipalInput): string {
  return typeof person === 'string' ? person : person.id;
}

/** How often a run whose process dies is taken up again, at most. */
const MOST_ATTEMPTS = 1_000;

/** The processes in which a case is played, one after the other: when one dies, the next recovers its run. */
export class CaseProcesses {
  /** The deaths that have happened. */
  readonly deaths = new Set<KillFault>();
  private life: Life;
  private runner: Runner<unknown>;

  /** @param base a runner on the stores of the case, which does not die */
  constructor(
    private readonly base: Runner<unknown>,
    private readonly place: Place,
    private readonly standIns: CaseStandIns,
    private readonly events: StoredEvents,
    private readonly signal: AbortSignal | undefined,
  ) {
    [this.life, this.runner] = this.open();
  }

  /** Ends the run with which a message begins. Undefined if a process died, and nothing was left to recover. */
  send(message: Parameters<Runner['run']>[0]['message']): Promise<RunResult<unknown> | undefined> {
    const { place, signal } = this;
    return this.endOf(async (runner) => runner.run({ ...place, message, signal }));
  }

  answer(request: PendingRequest, answer: EvalAnswer): Promise<RunResult<unknown> | undefined> {
    const { signal } = this;
    const said: Exclude<EvalAnswer, boolean> = typeof answer === 'boolean' ? { approved: answer } : answer;
    return this.endOf(async (runner) => {
      const by = personOf(said.by, request);
      if ('value' in said) return runner.supply(request, said.value, { signal, by });
      const { approved, reason, args } = said;
      if (approved) return runner.approve(request, { signal, by, args });
      return runner.reject(request, { signal, by, ...(reason !== undefined && { reason }) });
    });
  }

  /** Closes the last process. A dead one has nothing to close. */
  close(): Promise<void> {
    return this.runner.close();
  }

  private async endOf(
    begin: (runner: Runner<unknown>) => Promise<RunResult<unknown>>,
  ): Promise<RunResult<unknown> | undefined> {
    const ended = await this.untilDeath(begin(this.runner));
    return ended === 'died' ? this.recovered() : ended.value;
  }

  /** @throws what the recovery of the run threw */
  private async recovered(): Promise<RunResult<unknown> | undefined> {
    for (;;) {
      [this.life, this.runner] = this.open();
      const ended = await this.untilDeath(
        this.runner.recover({ olderThan: 0, maxAttempts: MOST_ATTEMPTS, signal: this.signal }),
      );
      if (ended === 'died') continue;
      const own = ended.value.find(({ sessionId }) => sessionId === this.place.sessionId);
      if (own?.outcome === 'failed') throw own.error;
      return own?.result;
    }
  }

  private async untilDeath<Value>(work: Promise<Value>): Promise<Ended<Value>> {
    const { life } = this;
    // Of a dead process, a failure is heard by nobody.
    work.catch(() => undefined);
    const ended = await Promise.race([
      work.then((value) => (life.isOver ? NEVER : { value })),
      life.died.then(() => 'died' as const),
    ]);
    if (ended === 'died' && life.death) this.deaths.add(life.death);
    return ended;
  }

  private open(): [Life, Runner<unknown>] {
    const life = new Life(this.events);
    const runner = this.base.isolated({
      sharesStores: true,
      sessions: life.bounds(this.base.sessions),
      standIns: this.standIns.of(life),
    });
    return [life, runner];
  }
}
