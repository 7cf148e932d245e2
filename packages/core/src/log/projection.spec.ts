import type { Event } from '../events/event.js';
import { DERIVED_VIEWS, EVENT_LOG, EventLog, type Session } from '../events/session.js';
import { said, undone } from './compaction-log.fixture.js';
import { Projection, SessionSlot } from './projection.js';
import { push, sessionOf } from './session-log.fixture.js';

const [A, B, C] = ['a', 'b', 'c'].map((text) => said('user', text, `e-${text}`)) as [Event, Event, Event];

describe('a projection of a log', () => {
  it('applies each event once, with its sequence number', () => {
    const session = sessionOf(A, B);
    const texts = new Texts();

    expect(texts.of(session)).toEqual(['0 a', '1 b']);
    push(session, C);
    texts.of(session);

    expect(texts.of(session)).toEqual(['0 a', '1 b', '2 c']);
    expect(texts.rebuilds).toBe(0);
  });

  it('counts sequence numbers from the first loaded event', () => {
    const session = { ...sessionOf(A, B), nextSeq: 9 };

    expect(new Texts().of(session)).toEqual(['7 a', '8 b']);
  });

  it('is rebuilt once from the effective events after a rewind, and continues behind the cursor', () => {
    const session = sessionOf(A, B);
    const texts = new Texts();
    texts.of(session);
    push(session, undone('e-b', 'r-1'), C, undone('e-c', 'r-2'));

    expect(texts.of(session)).toEqual(['0 a']);
    push(session, said('user', 'd', 'e-d'));

    expect(texts.of(session)).toEqual(['0 a', '5 d']);
    expect(texts.rebuilds).toBe(1);
  });

  it('is given the whole log when it is emptied', () => {
    const session = sessionOf(A, undone('e-a', 'r-1'), B);
    const texts = new Texts();
    texts.of(session);

    expect(texts.emptiedWith).toBe(session.events);
  });
});

describe('a slot of a session', () => {
  it('holds one value for each session', () => {
    const slot = new SessionSlot(() => ({}));
    const [first, second] = [sessionOf(), sessionOf()];

    expect(slot.of(first)).toBe(slot.of(first));
    expect(slot.of(first)).not.toBe(slot.of(second));
  });

  it.each<[string, () => Session]>([
    ['a session without an event log', () => sessionOf()],
    ['a session with one', () => ({ ...sessionOf(), [EVENT_LOG]: new EventLog() })],
  ])('is apart from other slots of %s', (_what, open) => {
    const session = open();
    const slots = [1, 2, 3].map((value) => new SessionSlot(() => value));

    expect(slots.map((slot) => slot.of(session))).toEqual([1, 2, 3]);
    expect(slots.map((slot) => slot.of(session))).toEqual([1, 2, 3]);
  });

  it('is kept in the event log, for all objects that stand for the session', () => {
    const log = new EventLog();
    const slot = new SessionSlot(() => ({}));

    const value = slot.of({ ...sessionOf(), [EVENT_LOG]: log });

    expect(slot.of({ ...sessionOf(), [EVENT_LOG]: log })).toBe(value);
    expect(log[DERIVED_VIEWS]).toContain(value);
    expect(JSON.stringify(log)).not.toContain('view');
  });
});

/** The texts of a log with their sequence numbers. */
class Texts extends Projection {
  rebuilds = 0;
  emptiedWith: readonly Event[] | undefined;
  private texts: string[] = [];

  of(session: Session): readonly string[] {
    this.catchUp(session);
    return this.texts;
  }

  protected override reset(events: readonly Event[]): void {
    this.texts = [];
    this.rebuilds++;
    this.emptiedWith = events;
  }

  protected override apply(event: Event, seq: number): void {
    this.texts.push(`${String(seq)} ${event.text}`);
  }
}
