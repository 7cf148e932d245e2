import type { Event } from '../events/event.js';
import { runPathOf } from '../events/event-place.js';
import type { Session } from '../events/session.js';
import { Projection, SessionSlot } from './projection.js';

/** Who gave the conversation to whom. */
export interface HandOver {
  /** The path of the agent that handed over; undefined in a log without paths. */
  readonly from: string | undefined;
  /** The name of the agent that took over, or that spoke in a log without paths. */
  readonly to: string;
}

const indexes = new SessionSlot(() => new HandOvers());

/** The hand-overs of a session, by which the next message finds its agent. */
export class HandOvers extends Projection {
  private readonly list: HandOver[] = [];

  /** Oldest first. */
  static of(session: Session): readonly HandOver[] {
    const index = indexes.of(session);
    index.catchUp(session);
    return index.list;
  }

  protected override reset(): void {
    this.list.length = 0;
  }

  protected override apply(event: Event): void {
    const { author, actions } = event;
    if (author === 'user' || event.isolationScope !== undefined) return;
    const from = runPathOf(event);
    if (from === undefined) this.add({ from, to: author });
    if (actions.transferToAgent !== undefined) this.add({ from, to: actions.transferToAgent });
  }

  private add(handOver: HandOver): void {
    const last = this.list.at(-1);
    if (last?.from !== handOver.from || last?.to !== handOver.to) this.list.push(handOver);
  }
}
