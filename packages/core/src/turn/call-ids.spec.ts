import { Event, type Content, type Part } from '../index.js';
import { PendingIndex } from '../log/pending-index.js';
import { sessionOf } from '../log/session-log.fixture.js';
import { CallIds } from './call-ids.js';

function withCallIds(content: Content, open: PendingIndex): Content {
  return idsBeside(open).ofWhole(content);
}

function idsBeside(open: PendingIndex): CallIds {
  const reserved = new Set<string>();
  return new CallIds({
    reserveCallId: (id) => {
      const isFree = !reserved.has(id) && open.findCall(id) === undefined;
      reserved.add(id);
      return isFree;
    },
  });
}

const OWN = /^adk-[0-9a-f-]{36}$/;

describe('the ids of calls', () => {
  it('are the same in the pieces of a streamed answer and in the whole, in whatever order', () => {
    const ids = idsBeside(openIn(event('clerk', answer(call('open')))));
    const said = [
      call('c1', 'a'),
      call(undefined, 'b'),
      call(undefined, 'b'),
      call('c1', 'c'),
      call('open', 'd'),
    ];

    const shown = said.flatMap((part) => idsOf(ids.ofPiece(answer(part))));
    const whole = idsOf(ids.ofWhole(answer({ text: 'So.' }, ...said)));
    const reversed = idsBeside(openIn(event('clerk', answer(call('open')))));
    const shownFirst = said.flatMap((part) => idsOf(reversed.ofPiece(answer(part))));
    const [d, c, , , a] = idsOf(reversed.ofWhole(answer(...[...said].reverse())));

    expect(whole).toEqual(shown);
    expect(new Set(whole).size).toBe(5);
    expect(whole[0]).toBe('c1');
    expect([a, c, d]).toEqual([shownFirst[0], shownFirst[3], shownFirst[4]]);
  });

  it('are one id for all fragments of a call whose arguments are streamed', () => {
    const ids = idsBeside(nothingOpen());
    const fragments = [
      { name: 'pay', willContinue: true },
      { willContinue: true, partialArgs: [{ jsonPath: '$.cents', numberValue: 1 }] },
      {},
    ].map((functionCall) => ids.ofPiece(answer({ functionCall })));
    const next = ids.ofPiece(answer(call(undefined, 'look')));

    const [first, ...others] = fragments.flatMap(idsOf);
    expect(first).toMatch(OWN);
    expect(others).toEqual([first, first]);
    expect(idsOf(next)).not.toEqual([first]);
    expect(
      idsOf(ids.ofWhole(answer({ functionCall: { name: 'pay', args: {} } }, call(undefined, 'look')))),
    ).toEqual([first, ...idsOf(next)]);
  });

  it('stay with their calls where a whole holds two of one tool in another order', () => {
    const ids = idsBeside(nothingOpen());
    ids.ofPiece(answer(call('c1'), call('c2')));

    expect(idsOf(ids.ofWhole(answer(call('c2'), call('c1'))))).toEqual(['c2', 'c1']);
  });

  it('are two where one call came in fragments and the whole holds another of its tool', () => {
    const ids = idsBeside(nothingOpen());
    for (const functionCall of [{ name: 'pay', willContinue: true }, {}])
      ids.ofPiece(answer({ functionCall }));
    const pay = { functionCall: { name: 'pay', args: {} } };

    expect(new Set(idsOf(ids.ofWhole(answer(pay, pay)))).size).toBe(2);
  });

  it('are new in a whole that holds other calls than its pieces', () => {
    const ids = idsBeside(nothingOpen());
    const shown = idsOf(ids.ofPiece(answer(call(undefined, 'look'))));

    expect(idsOf(ids.ofWhole(answer(call(undefined, 'pay'))))).not.toEqual(shown);
  });

  it('keeps the ids of calls that have ids of their own', () => {
    const content = answer({ text: 'Let me see.' }, call('c1'), call('c2'));

    expect(withCallIds(content, nothingOpen())).toEqual(content);
  });

  it('leaves an answer without calls alone', () => {
    const content = answer({ text: 'Let me see.' });

    expect(withCallIds(content, nothingOpen())).toBe(content);
  });

  it('makes arguments that neither the model nor a reader of the event can change', () => {
    const args = { order: { cents: 1 } };
    const { parts = [] } = withCallIds(
      answer({ functionCall: { id: 'c1', name: 'pay', args } }),
      nothingOpen(),
    );
    const kept = parts[0]?.functionCall?.args as typeof args;

    args.order.cents = 1_000_000;

    expect(() => (kept.order.cents = 1_000_000)).toThrow(TypeError);
    expect(kept).toEqual({ order: { cents: 1 } });
  });

  it.each([undefined, ''])(
    'gives an id to a call that has none (%p), and keeps the rest of its part',
    (id) => {
      const part: Part = {
        functionCall: { ...(id !== undefined && { id }), name: 'look', args: { a: 1 } },
        thoughtSignature: 'c2ln',
      };

      const { role, parts = [] } = withCallIds(answer({ text: 'hm', thought: true }, part), nothingOpen());

      expect(role).toBe('model');
      expect(parts).toEqual([
        { text: 'hm', thought: true },
        {
          functionCall: { id: expect.stringMatching(OWN) as unknown, name: 'look', args: { a: 1 } },
          thoughtSignature: 'c2ln',
        },
      ]);
    },
  );

  it('gives another id to a call that bears one longer than stores keep', () => {
    expect(idsOf(withCallIds(answer(call('c'.repeat(512)), call('c'.repeat(513))), nothingOpen()))).toEqual([
      'c'.repeat(512),
      expect.stringMatching(OWN),
    ]);
  });

  it('gives another id to a call whose id begins like those of the framework', () => {
    const given = ['adk-1', '_adk_toolset_auth_x', 'adk_1', 'my-adk-1'];

    expect(idsOf(withCallIds(answer(...given.map((id) => call(id))), nothingOpen()))).toEqual([
      expect.stringMatching(OWN),
      expect.stringMatching(OWN),
      'adk_1',
      'my-adk-1',
    ]);
  });

  it('gives another id to a call that bears the id of one before it', () => {
    const [first, second, third] = idsOf(
      withCallIds(answer(call('c1'), call('c1'), call('c1')), nothingOpen()),
    );

    expect(first).toBe('c1');
    expect(second).toMatch(OWN);
    expect(third).toMatch(OWN);
    expect(third).not.toBe(second);
  });

  it('gives another id to a call that bears the id of one that still waits', () => {
    const open = openIn(event('clerk', answer(call('c1'))), event('clerk', responded('c1', true)));

    expect(idsOf(withCallIds(answer(call('c1'), call('c2')), open))).toEqual([
      expect.stringMatching(OWN),
      'c2',
    ]);
  });

  it('leaves it the id of one that was answered for good', () => {
    const open = openIn(event('clerk', answer(call('c1'))), event('clerk', responded('c1')));

    expect(idsOf(withCallIds(answer(call('c1')), open))).toEqual(['c1']);
  });

  it('cuts a name that is longer than any tool has', () => {
    const part = { functionCall: { id: 'c1', name: 'n'.repeat(100_000), args: {} } };

    const [named] = withCallIds(answer(part), nothingOpen()).parts ?? [];

    expect(named?.functionCall).toEqual({ id: 'c1', name: `${'n'.repeat(128)}…`, args: {} });
  });

  it('does not change the content it was given', () => {
    const content = answer(call('c1'), call('c1'));
    const before = JSON.stringify(content);

    withCallIds(content, nothingOpen());

    expect(JSON.stringify(content)).toBe(before);
  });
});

function answer(...parts: Part[]): Content {
  return { role: 'model', parts };
}

function call(id?: string, name = 'look'): Part {
  return { functionCall: { ...(id !== undefined && { id }), name, args: {} } };
}

function responded(id: string, willContinue = false): Content {
  return {
    role: 'user',
    parts: [{ functionResponse: { id, name: 'look', response: {}, ...(willContinue && { willContinue }) } }],
  };
}

function event(author: string, content: Content): Event {
  return new Event({ invocationId: 'e-1', author, content });
}

function openIn(...events: Event[]): PendingIndex {
  return PendingIndex.of(sessionOf(...events));
}

function nothingOpen(): PendingIndex {
  return openIn();
}

function idsOf({ parts = [] }: Content): (string | undefined)[] {
  return parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall.id]));
}
