import { answered, called, said, summary, timedSummary, undone } from '../compaction-log.fixture.js';
import { push, sessionOf } from '../session-log.fixture.js';
import type { FunctionResponse } from '../../backend.js';
import { type Content, Event, type Session } from '../../index.js';
import { History } from './history.js';

const AGENT = { name: 'clerk', path: 'clerk' };
const INTERRUPTED = '!interrupted';
const HEADING = '[Summary of earlier conversation]';

describe('the history of a conversation with summaries', () => {
  it('shows a summary once, under its heading, in the place of what it covers', () => {
    const session = sessionOf(said('user', 'a'), said('clerk', 'b'), said('user', 'c'), summary('S', 0, 1));

    expect(History.of(session, AGENT, undefined).contents).toEqual([
      { role: 'user', parts: [{ text: HEADING }, { text: 'S' }] },
      { role: 'user', parts: [{ text: 'c' }] },
    ]);
  });

  it.each<[string, Event[], string[]]>([
    [
      'the newest of two that overlap has what both span',
      [summary('S', 0, 2), summary('T', 2, 3)],
      ['S', 'T'],
    ],
    ['one that a newer contains is gone', [summary('S', 1, 2), summary('T', 0, 3)], ['T']],
    ['one that contains a newer is shown around it', [summary('S', 0, 3), summary('T', 1, 2)], ['S', 'T']],
    [
      'one that several newer ones cover is gone',
      [summary('S', 1, 2), summary('T', 0, 1), summary('U', 2, 3)],
      ['T', 'U'],
    ],
    ['what none spans stays', [summary('S', 1, 2)], ['a0', 'S', 'd3']],
    ['what came after it is not covered', [summary('S', 0, 9), said('user', 'e')], ['S', 'e']],
    [
      'one that spans nothing is not shown',
      [summary('S', 3, 1), summary('T', 9, 12)],
      ['a0', 'b1', 'c2', 'd3'],
    ],
    ['one that says nothing covers nothing', [summary(' ', 0, 3)], ['a0', 'b1', 'c2', 'd3']],
    ['places go before times', [summary('S', 0, 0)], ['S', 'b1', 'c2', 'd3']],
    [
      'one of places is not replaced by one of times',
      [summary('S', 0, 1), timedSummary('T', 0, 5)],
      ['S', 'c2', 'd3'],
    ],
    [
      'times are read where there are no places, both ends included',
      [timedSummary('S', 20, 30)],
      ['a0', 'S', 'd3'],
    ],
  ])('%s', (_what, markers, expected) => {
    expect(textsOf(sessionOf(...abcd(), ...markers))).toEqual(expected);
  });

  it('goes by the order of the log where times are in none', () => {
    const early = [said('user', 'a', 'e-1', 30), said('clerk', 'b', 'e-1', 10), said('user', 'c', 'e-2', 20)];

    expect(textsOf(sessionOf(...early, summary('S', 0, 1)))).toEqual(['S', 'c']);
    expect(textsOf(sessionOf(...early, timedSummary('S', 10, 20)))).toEqual(['a', 'S']);
  });

  it('shows a foreign summary as told, and not as words of the model', () => {
    const session = sessionOf(...abcd(), timedSummary('S', 10, 40));

    expect(History.of(session, AGENT, undefined).contents[0]?.role).toBe('user');
  });

  it('shows no calls that stand in a summary', () => {
    const content: Content = { role: 'model', parts: [{ functionCall: { name: 'look' } }, { text: 'S' }] };
    const actions = { compaction: { startTimestamp: 0, endTimestamp: 99, compactedContent: content } };
    const session = sessionOf(...abcd(), new Event({ author: 'user', invocationId: 'm', actions }));

    expect(textsOf(session)).toEqual(['S']);
  });

  it('never shows what a compaction event itself says', () => {
    const marker = summary('S', 0, 1);
    const content = { role: 'user', parts: [{ text: 'raw' }] };
    const spoken = new Event({
      actions: marker.actions,
      author: 'user',
      invocationId: 'm',
      content,
      customMetadata: marker.customMetadata,
    });

    expect(textsOf(sessionOf(...abcd(), spoken))).toEqual(['S', 'c2', 'd3']);
  });

  describe('of calls', () => {
    it('covers a call together with its response', () => {
      const session = sessionOf(said('user', 'a'), called(['c1']), answered(['c1'], 'x'), said('clerk', 'b'));
      push(session, summary('S', 0, 3));

      expect(textsOf(session)).toEqual(['S']);
    });

    it.each<[string, number, number, string[]]>([
      ['ends between them', 0, 1, ['S', '?c1', '!x', 'b']],
      ['begins between them', 2, 3, ['a', '?c1', '!x', 'S']],
    ])('keeps call and response where a compaction event %s', (_where, start, end, expected) => {
      const session = sessionOf(said('user', 'a'), called(['c1']), answered(['c1'], 'x'), said('clerk', 'b'));
      push(session, summary('S', start, end));

      expect(textsOf(session)).toEqual(expected);
    });

    it('covers them where one compaction event spans the call and the next its response', () => {
      const session = sessionOf(said('user', 'a'), called(['c1']), summary('S', 0, 1), answered(['c1'], 'x'));
      push(session, summary('T', 3, 3));

      expect(textsOf(session)).toEqual(['S', 'T']);
    });

    it.each<[string, Event[], string[]]>([
      ['was never answered', [], ['S', '?c1', INTERRUPTED]],
      ['gave a handle', [answered(['c1'], 'wait', true)], ['S', '?c1', '!wait']],
    ])('never covers one that %s', (_what, responses, expected) => {
      const session = sessionOf(said('user', 'a'), called(['c1']), ...responses, said('clerk', 'b'));
      push(session, summary('S', 0, 3), said('user', 'c'));

      expect(textsOf(session)).toEqual([...expected, 'c']);
    });

    it('keeps all calls of an event of which one is open', () => {
      const session = sessionOf(
        said('user', 'a'),
        called(['c1', 'c2']),
        answered(['c2'], 'x'),
        said('clerk', 'b'),
      );
      push(session, summary('S', 0, 3));

      expect(textsOf(session)).toEqual(['S', '?c1', '?c2', INTERRUPTED, '!x']);
    });

    it('keeps calls that are answered together with an open one', () => {
      const both = answered(['c1', 'c2'], 'x');
      const session = sessionOf(
        called(['c1']),
        called(['c2', 'c3']),
        both,
        said('clerk', 'b'),
        summary('S', 0, 3),
      );

      expect(textsOf(session)).toEqual(['S', '?c1', '!x', '?c2', '?c3', '!x', INTERRUPTED]);
    });

    it('puts the answer to a call that was kept in its place', () => {
      const session = sessionOf(
        said('user', 'a'),
        called(['c1']),
        answered(['c1'], 'wait', true),
        said('clerk', 'b'),
      );
      push(session, summary('S', 0, 3));
      expect(textsOf(session)).toEqual(['S', '?c1', '!wait']);

      push(session, said('user', 'c'), answered(['c1'], 'x'));

      expect(textsOf(session)).toEqual(['S', '?c1', '!x', 'c']);
    });

    it('brings a covered call back where a later answer comes, and covers it again with that', () => {
      const handle = answered(['c1'], 'wait', true);
      const session = sessionOf(said('user', 'a'), called(['c1']), handle, answered(['c1'], 'x'));
      push(session, summary('S', 0, 3));
      expect(textsOf(session)).toEqual(['S']);

      push(session, said('user', 'b'), answered(['c1'], 'y'));
      expect(textsOf(session)).toEqual(['S', '?c1', '!y', 'b']);

      push(session, summary('T', 5, 6));
      expect(textsOf(session)).toEqual(['S', 'T']);
    });

    it('is not made anew for an id that a covered call and a later one bear', () => {
      const session = sessionOf(called(['c1']), answered(['c1'], 'x'), summary('S', 0, 1), called(['c1']));
      const { contents } = History.of(session, AGENT, undefined);

      push(session, answered(['c1'], 'y'));

      expect(textsOf(session)).toEqual(['S', '?c1', '!y']);
      expect(History.of(session, AGENT, undefined).contents[0]).toBe(contents[0]);
    });
  });

  describe('and of rewinds', () => {
    const log = () => [said('user', 'a', 'e-1'), said('clerk', 'b', 'e-1'), said('user', 'c', 'e-2')];

    it('shows again what a summary covered that was undone', () => {
      const session = sessionOf(...log(), summary('S', 0, 1), said('user', 'd', 'e-3'));
      expect(textsOf(session)).toEqual(['S', 'c', 'd']);

      push(session, undone('e-2', 'r-1'));

      expect(textsOf(session)).toEqual(['a', 'b']);
    });

    it('keeps a summary that stands, and what came before it hidden', () => {
      const session = sessionOf(...log(), summary('S', 0, 1), said('user', 'd', 'e-3'), undone('e-3', 'r-1'));

      expect(textsOf(session)).toEqual(['S', 'c']);
    });

    it('shows nothing undone where a compaction event spans it', () => {
      const session = sessionOf(...log(), undone('e-2', 'r-1'), said('user', 'd', 'e-3'), summary('S', 1, 4));

      expect(textsOf(session)).toEqual(['a', 'S']);
    });

    it('is undone by a rewind to its own invocation', () => {
      const session = sessionOf(...log(), summary('S', 0, 1, 'm-1'), undone('m-1', 'r-1'));

      expect(textsOf(session)).toEqual(['a', 'b', 'c']);
    });

    it('is back where the rewind that undid it is undone', () => {
      const session = sessionOf(...log(), summary('S', 0, 1), undone('e-2', 'r-1'), undone('r-1', 'r-2'));

      expect(textsOf(session)).toEqual(['S', 'c']);
    });
  });

  it('begins no turn with a summary', () => {
    const session = sessionOf(said('user', 'a'), said('clerk', 'b'), said('user', 'c'), summary('S', 1, 2));

    const history = History.of(session, AGENT, undefined);

    expect(history.currentTurn()).toEqual(history.contents);
    expect(history.contents).toHaveLength(2);
  });

  it('shows it before what was loaded of a log, where it stands for the rest', () => {
    const whole = sessionOf(...abcd(), summary('S', 0, 2), said('user', 'e'));

    expect(textsOf({ ...whole, events: whole.events.slice(3) })).toEqual(['S', 'd3', 'e']);
    expect(textsOf({ ...whole, events: whole.events.slice(2) })).toEqual(['S', 'd3', 'e']);
  });

  it('shows one of times before what was loaded, where it reaches further back', () => {
    const whole = sessionOf(...abcd(), timedSummary('S', 10, 30), said('user', 'e'));

    expect(textsOf({ ...whole, events: whole.events.slice(3) })).toEqual(['S', 'd3', 'e']);
  });

  it('is made once more for a compaction event, and then goes on', () => {
    const session = sessionOf(...abcd(), summary('S', 0, 1));
    const { contents } = History.of(session, AGENT, undefined);

    push(session, said('user', 'e'), called(['c1']), answered(['c1'], 'x'));

    expect(History.of(session, AGENT, undefined).contents[0]).toBe(contents[0]);
    expect(textsOf(session)).toEqual(['S', 'c2', 'd3', 'e', '?c1', '!x']);
  });
});

/** Four texts at the times 10 to 40. */
function abcd(): Event[] {
  return ['a0', 'b1', 'c2', 'd3'].map((text, index) => said('user', text, 'e-1', 10 + 10 * index));
}

/** Texts, headings left out, `?` before the id of a call and `!` before a response. */
function textsOf(session: Session): string[] {
  return History.of(session, AGENT, undefined).contents.flatMap(({ parts = [] }) =>
    parts.flatMap(({ text, functionCall, functionResponse }) => {
      if (functionCall !== undefined) return [`?${functionCall.id ?? ''}`];
      if (functionResponse === undefined) return text === HEADING ? [] : [text ?? ''];
      return [`!${valueOf(functionResponse)}`];
    }),
  );
}

function valueOf({ response }: FunctionResponse): string {
  const value = response?.['value'];
  return typeof value === 'string' ? value : 'interrupted';
}
