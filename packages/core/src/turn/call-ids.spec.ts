import { Event, type Content, type Part } from '../index.js';
import { OpenRequests } from '../events/open-requests.js';
import { sessionOf } from '../events/session-log.fixture.js';
import { withCallIds } from './call-ids.js';

const OWN = /^adk-[0-9a-f-]{36}$/;

describe('withCallIds', () => {
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

  it('leaves arguments that are not JSON to the shape gate', () => {
    const args: Record<string, unknown> = { big: 1n };
    const { parts = [] } = withCallIds(
      answer({ functionCall: { id: 'c1', name: 'pay', args } }),
      nothingOpen(),
    );

    expect(parts[0]?.functionCall?.args).toBe(args);
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

function call(id: string): Part {
  return { functionCall: { id, name: 'look', args: {} } };
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

function openIn(...events: Event[]): OpenRequests {
  return OpenRequests.of(sessionOf(...events));
}

function nothingOpen(): OpenRequests {
  return openIn();
}

function idsOf({ parts = [] }: Content): (string | undefined)[] {
  return parts.map(({ functionCall }) => functionCall?.id);
}
