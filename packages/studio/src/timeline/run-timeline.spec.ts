import { frameAt, requestAt } from '../frames.fixture.js';
import { runsOf, timelineOf, timeScale } from './run-timeline.js';

const NONE: ReadonlySet<string> = new Set();
const ENDED = { now: 1000, pending: NONE, isActive: false };
const ASKED = frameAt(1, { kind: 'text', author: 'user', path: undefined, text: 'Refund it' });
const CALL = frameAt(3, { kind: 'call', id: 'c1', tool: 'refund', args: {} });

describe('timelineOf', () => {
  it('begins a model call when the step before it ended, and a tool when it was called', () => {
    const result = frameAt(5, { kind: 'result', id: 'c1', tool: 'refund', response: {} });
    const answer = frameAt(9, {
      kind: 'text',
      text: 'Done.',
      event: { usageMetadata: { totalTokenCount: 12 } },
    });

    const { rows, tokens, start, end } = timelineOf([ASKED, CALL, result, answer], 'i1', ENDED);

    expect(rows[0]?.bars.map(({ kind, start: from, end: to }) => [kind, from, to])).toEqual([
      ['model', 1, 3],
      ['tool', 3, 5],
      ['model', 5, 9],
    ]);
    expect({ tokens, start, end }).toEqual({ tokens: 12, start: 1, end: 9 });
  });

  it('begins the model call that goes on at the message, not at the first piece of its answer', () => {
    const piece = frameAt(4, { kind: 'text', text: 'Your', partial: true });

    const { rows } = timelineOf([ASKED, piece], 'i1', { now: 6, pending: NONE, isActive: true });

    expect(rows[0]?.bars).toMatchObject([{ kind: 'model', start: 1, firstPiece: 4, end: 6, isOpen: true }]);
  });

  it('gives parallel tools lanes of their own', () => {
    const calls = ['a', 'b'].map((id) => frameAt(3, { kind: 'call', id, tool: id, args: {}, eventId: 'e3' }));
    const results = ['a', 'b'].map((id, index) =>
      frameAt(5 + index, { kind: 'result', id, tool: id, response: {} }),
    );

    const { rows } = timelineOf([ASKED, ...calls, ...results], 'i1', ENDED);

    expect(rows[0]?.lanes).toBe(2);
    expect(rows[0]?.bars.filter(({ kind }) => kind === 'model')).toHaveLength(1);
  });

  it('goes on with what waits until now', () => {
    const waits = { now: 100, pending: new Set(['r1']), isActive: false };

    const { rows } = timelineOf([ASKED, CALL, requestAt(4)], 'i1', waits);

    expect(rows[0]?.bars.find(({ kind }) => kind === 'wait')).toMatchObject({
      start: 4,
      end: 100,
      isOpen: true,
    });
  });

  it('indents the rows of agents below the root', () => {
    const below = frameAt(4, { kind: 'text', author: 'returns', path: 'support/returns', text: 'Yes.' });

    expect(
      timelineOf([ASKED, CALL, below], 'i1', ENDED).rows.map(({ name, depth }) => [name, depth]),
    ).toEqual([
      ['support', 0],
      ['returns', 1],
    ]);
  });

  it('lists the runs of a session, oldest first', () => {
    expect(runsOf([ASKED, frameAt(2, { kind: 'text', invocationId: 'i2', text: '' }), CALL])).toEqual([
      'i1',
      'i2',
    ]);
  });
});

describe('timeScale', () => {
  it('gives an hour of waiting little room, and finds the time of a place again', () => {
    const answered = frameAt(3604, {
      kind: 'answer',
      author: 'user',
      id: 'r1',
      tool: 'refund',
      response: {},
    });
    const text = frameAt(3610, { kind: 'text', text: 'Done.' });
    const scale = timeScale(timelineOf([ASKED, CALL, requestAt(4), answered, text], 'i1', ENDED));

    expect(scale.place(3604) - scale.place(4)).toBeLessThan(0.2);
    expect(scale.breaks).toHaveLength(1);
    expect(scale.time(scale.place(3607))).toBeCloseTo(3607);
  });
});
