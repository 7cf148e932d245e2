import type { Part } from '../events/genai-types.js';
import { Event, type EventBody } from '../events/event.js';
import { toolScope } from '../events/event-place.js';
import { RECOVERY_ATTEMPT } from '../events/run-record.js';
import { CONTINUES, InvocationChains } from './invocation-chains.js';
import { sessionOf } from './session-log.fixture.js';

describe('the invocations of a session', () => {
  it('are a chain where a message answers the calls of an earlier one', () => {
    const asked = [user('e-1', { text: 'Refund.' }), clerk('e-1', call('c1'))];
    const answered = [user('e-2', response('c1')), clerk('e-2', { text: 'Refunded.' })];

    const chain = chainsOf(...asked, ...answered).of(['e-2']);

    expect(chain?.invocationIds).toEqual(new Set(['e-1', 'e-2']));
    expect(chain?.events).toEqual([...asked, ...answered]);
  });

  it.each<[string, Part[]]>([
    ['a message', [{ text: 'Thanks.' }]],
    ['no content', []],
    ['the answer to an unknown call', [response('c9')]],
    ['an answer without an id', [{ functionResponse: { name: 'refund', response: {} } }]],
  ])('are chains of their own where the next one begins with %s', (_what, parts) => {
    const chains = chainsOf(user('e-1', { text: 'Hi.' }), clerk('e-1', call('c1')), user('e-2', ...parts));

    expect(chains.of(['e-1'])?.invocationIds).toEqual(new Set(['e-1']));
    expect(chains.of(['e-2'])?.invocationIds).toEqual(new Set(['e-2']));
    expect(chains.latest).toEqual(chains.of(['e-2']));
  });

  it('are a chain where the next one goes on without a message, as after a crash', () => {
    const chains = chainsOf(
      user('e-1', { text: 'Refund.' }),
      clerk('e-1', call('c1')),
      clerk('e-2', { text: 'Refunded.' }),
    );

    expect(chains.latest?.invocationIds).toEqual(new Set(['e-1', 'e-2']));
  });

  it('are a chain where a message goes on with interrupted calls, whatever it says', () => {
    const died = [user('e-1', { text: 'Refund.' }), clerk('e-1', call('c1'))];
    const message = event('e-2', { author: 'user', customMetadata: { [CONTINUES]: 'e-1' } }, [
      { text: 'Done?' },
    ]);
    const next = [message, clerk('e-2', call('c2')), user('e-3', response('c2'))];

    const chains = chainsOf(...died, ...next);

    expect(chains.latest?.events).toEqual([...died, ...next]);
    expect(chains.of(['e-2'])).toEqual(chains.of(['e-1']));
  });

  it('stay apart where they ran side by side', () => {
    const chains = chainsOf(
      user('e-1', { text: 'One.' }),
      user('e-2', { text: 'Two.' }),
      clerk('e-1', { text: 'First.' }),
    );

    expect(chains.latest?.invocationIds).toEqual(new Set(['e-1']));
    expect(chains.of(['e-2'])?.events).toHaveLength(1);
  });

  it('belong to the call whose tool ran their agent, also the input of that agent', () => {
    const isolationScope = toolScope('event-1', 'c1');
    const begun = [user('e-1', { text: 'Ask.' }), clerk('e-1', call('c1'))];
    const other = user('e-2', { text: 'Meanwhile.' });
    const input = event('e-1.sub.helper', { author: 'user', isolationScope }, [{ text: 'Look.' }]);
    const found = event('e-1.sub.helper', { author: 'helper', isolationScope }, [{ text: 'Found.' }]);

    const chains = chainsOf(...begun, other, input, found);

    expect(chains.of(['e-1'])?.events).toEqual([...begun, input, found]);
  });

  it('hold the input of an agent that a composite invoked', () => {
    const input = event('e-1', { author: 'user', nodeInfo: { path: 'root/draft' } }, [{ text: 'Write.' }]);

    const chains = chainsOf(user('e-1', { text: 'Hi.' }), input);

    expect(chains.latest?.events).toHaveLength(2);
  });

  it('are joined, in the order of the log, where a message answers two of them', () => {
    const first = [user('e-1', { text: 'One.' }), clerk('e-1', call('c1'))];
    const second = [user('e-2', { text: 'Two.' }), clerk('e-2', call('c2'))];
    const third = [user('e-3', { text: 'Three.' })];
    const late = clerk('e-1', { text: 'Late.' });
    const chains = chainsOf(...first, ...second, ...third, late);

    const joined = chains.of(['e-2', 'e-1']);

    expect(joined?.invocationIds).toEqual(new Set(['e-1', 'e-2']));
    expect(joined?.events).toEqual([...first, ...second, late]);
    expect(chains.of(['e-1', 'e-1'])).toEqual(chains.of(['e-1']));
  });

  it('are none in an empty log, and none of an unknown id', () => {
    expect([chainsOf().latest, chainsOf().of(['e-1']), chainsOf().of([])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('have no part in summaries, attempts to recover, and what a rewind undid', () => {
    const compaction = {
      startTimestamp: 0,
      endTimestamp: 1,
      compactedContent: { role: 'user', parts: [{ text: 'Hello.' }] },
    };
    const chains = chainsOf(
      user('e-1', { text: 'Hi.' }),
      user('e-2', { text: 'Undone.' }),
      event('e-3', { author: 'user', actions: { rewindBeforeInvocationId: 'e-2' } }),
      event('e-4', { author: 'user', actions: { compaction } }),
      event('e-5', { author: 'clerk', customMetadata: { [RECOVERY_ATTEMPT]: 1 } }),
    );

    expect([chains.of(['e-2']), chains.of(['e-4']), chains.of(['e-5'])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(chains.of(['e-1'])?.events).toHaveLength(1);
  });
});

function chainsOf(...events: Event[]): InvocationChains {
  return new InvocationChains(sessionOf(...events));
}

function user(invocationId: string, ...parts: Part[]): Event {
  return event(invocationId, { author: 'user' }, parts);
}

function clerk(invocationId: string, ...parts: Part[]): Event {
  return event(invocationId, { author: 'clerk' }, parts);
}

function event(invocationId: string, body: EventBody, parts: Part[] = []): Event {
  const content = { role: body.author === 'user' ? 'user' : 'model', parts };
  return new Event({ ...body, ...(parts.length > 0 && { content }) }, { invocationId, timestamp: 1 });
}

function call(id: string): Part {
  return { functionCall: { id, name: 'refund', args: {} } };
}

function response(id: string): Part {
  return { functionResponse: { id, name: 'refund', response: {} } };
}
