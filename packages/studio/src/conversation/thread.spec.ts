import { frameAt, requestAt } from '../frames.fixture.js';
import { threadOf } from './thread.js';

const NONE: ReadonlySet<string> = new Set();
const CALL = frameAt(2, { kind: 'call', id: 'c1', tool: 'refund', args: { cents: 5 } });
const WAITS = frameAt(4, { kind: 'result', id: 'c1', tool: 'refund', response: { error: 'waits' } });

describe('threadOf', () => {
  it('joins the pieces of an answer, and replaces them by the whole text under the same key', () => {
    const pieces = [
      frameAt(1, { kind: 'text', text: 'Hel', partial: true }),
      frameAt(2, { kind: 'text', text: 'lo', partial: true }),
    ];

    const [streaming] = threadOf(pieces, NONE);
    const whole = threadOf([...pieces, frameAt(3, { kind: 'text', text: 'Hello' })], NONE);

    expect(streaming).toMatchObject({ text: 'Hello', isStreaming: true });
    expect(whole).toMatchObject([{ text: 'Hello', isStreaming: false, key: streaming?.key }]);
  });

  it('keeps the pieces of agents that answer at the same time apart', () => {
    const frames = ['one', 'two', 'one'].map((path, index) =>
      frameAt(index, { kind: 'text', text: path, path, partial: true }),
    );

    expect(threadOf(frames, NONE)).toMatchObject([{ text: 'oneone' }, { text: 'two' }]);
  });

  it('makes one card of a call, its request, the answer and the result', () => {
    const answer = frameAt(5, {
      kind: 'answer',
      author: 'user',
      id: 'r1',
      tool: 'refund',
      response: { confirmed: true },
    });
    const result = frameAt(6, { kind: 'result', id: 'c1', tool: 'refund', response: { refunded: 5 } });

    expect(threadOf([CALL, requestAt(3), WAITS, answer, result], NONE)).toMatchObject([
      { kind: 'call', status: 'done', startedAt: 2, endedAt: 6, request: { request: { id: 'r1' } } },
    ]);
  });

  it('says how a call stands', () => {
    const statusOf = (frames: Parameters<typeof threadOf>[0], pending = NONE) =>
      threadOf(frames, pending).map((item) => (item.kind === 'call' ? item.status : item.kind));
    const no = frameAt(5, {
      kind: 'answer',
      author: 'user',
      id: 'r1',
      tool: 'refund',
      response: { confirmed: false },
    });

    expect(statusOf([CALL])).toEqual(['running']);
    expect(statusOf([CALL, requestAt(3), WAITS], new Set(['r1']))).toEqual(['waiting']);
    expect(statusOf([CALL, requestAt(3), WAITS, no])).toEqual(['refused']);
    expect(statusOf([CALL, WAITS])).toEqual(['failed']);
    expect(
      statusOf([
        CALL,
        frameAt(3, { kind: 'result', id: 'c1', tool: 'refund', response: {}, willContinue: true }),
      ]),
    ).toEqual(['running']);
  });

  it('shows a request whose call is not in the frames', () => {
    expect(threadOf([requestAt(3)], new Set(['r1']))).toMatchObject([
      { kind: 'call', status: 'waiting', call: { tool: 'refund' } },
    ]);
  });
});
