import type { FunctionResponse, Part } from '../events/genai-types.js';
import { Event } from '../events/event.js';
import { PendingIndex } from './pending-index.js';
import { type LoggedSession, push, sessionOf } from './session-log.fixture.js';
import { PENDING_RESPONSE } from '../events/placeholder-response.js';

const REFUND = { id: 'call-1', name: 'refund', args: { cents: 500 } };
const LOOK_UP = { id: 'call-2', name: 'look_up', args: {} };
const EXPORT = { id: 'call-3', name: 'export', args: { format: 'csv' } };

const MADE_REFUND = by('clerk', [{ functionCall: REFUND }, { functionCall: LOOK_UP }]);
const ASKED_REFUND = by('clerk', [{ functionCall: confirmationOf('ask-1', REFUND) }], ['ask-1']);
const PENDING_REFUND = by('clerk', [
  { functionResponse: { id: 'call-1', name: 'refund', response: PENDING_RESPONSE, willContinue: true } },
  { functionResponse: { id: 'call-2', name: 'look_up', response: { found: 1 } } },
]);
const PAUSED = [MADE_REFUND, ASKED_REFUND, PENDING_REFUND];

const MADE_EXPORT = by('clerk', [{ functionCall: EXPORT }], ['call-3']);
const HANDLE = by('clerk', [respond('call-3', 'export', { ticket: 7 }, true)], ['call-3']);

describe('PendingIndex', () => {
  it('knows of nothing in an empty session', () => {
    const open = PendingIndex.of(sessionOf());

    expect([open.list(), open.find('ask-1'), open.findCall('call-1'), open.find('')]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('lists what is asked, oldest first, with the invocation it was asked in', () => {
    const second = by('clerk', [{ functionCall: confirmationOf('ask-2', LOOK_UP) }], ['ask-2'], 'e-2');

    const open = PendingIndex.of(sessionOf(MADE_REFUND, ASKED_REFUND, second));

    expect(open.list().map(({ request, invocationId }) => [request.id, request.tool, invocationId])).toEqual([
      ['ask-1', 'refund', 'e-1'],
      ['ask-2', 'look_up', 'e-2'],
    ]);
  });

  it('finds a request by its own id and by that of the call that waits', () => {
    const open = PendingIndex.of(sessionOf(...PAUSED));

    expect(open.find('ask-1')?.request).toMatchObject({ kind: 'confirmation', functionCallId: 'call-1' });
    expect(open.find('call-1')).toBe(open.find('ask-1'));
    expect(open.find('call-2')).toBeUndefined();
  });

  it('closes the request of a call that is answered before its request is', () => {
    const session = sessionOf(...PAUSED);

    say(session, by('clerk', [respond('call-1', 'refund', { error: 'withdrawn' })]));

    const open = PendingIndex.of(session);
    expect([open.list(), open.find('ask-1'), open.find('call-1')]).toEqual([[], undefined, undefined]);
  });

  it('knows which calls of a turn still wait', () => {
    const open = PendingIndex.of(sessionOf(...PAUSED));

    expect(open.findCall('call-1')).toEqual({ call: REFUND, event: MADE_REFUND });
    expect([open.findCall('call-2'), open.findCall('ask-1')]).toEqual([undefined, undefined]);
    expect([open.isWaiting(MADE_REFUND), open.isWaiting(PENDING_REFUND)]).toEqual([true, false]);
  });

  it.each([
    ['its own id', 'ask-1'],
    ['the id of the call', 'call-1'],
  ])(
    'closes a request that is answered under %s, once, and keeps the call until it has its response',
    (_what, id) => {
      const session = sessionOf(...PAUSED);
      const open = PendingIndex.of(session);
      expect(open.list()).toHaveLength(1);

      say(session, by('user', [respond(id, 'adk_request_confirmation', { confirmed: true })]));
      expect([open.list(), open.find('ask-1'), open.find('call-1')]).toEqual([[], undefined, undefined]);
      expect([open.findCall('call-1')?.call, open.isWaiting(MADE_REFUND)]).toEqual([REFUND, true]);

      say(session, by('clerk', [respond('call-1', 'refund', { receipt: 'r-1' })]));
      expect([open.findCall('call-1'), open.isWaiting(MADE_REFUND)]).toEqual([undefined, false]);
    },
  );

  it('opens a request that is asked again for the same call, and finds it by its own id only', () => {
    const session = sessionOf(...PAUSED);
    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));
    say(session, by('clerk', [{ functionCall: confirmationOf('ask-2', REFUND) }], ['ask-2']));

    const open = PendingIndex.of(session);

    expect(open.list().map(({ request }) => request.id)).toEqual(['ask-2']);
    expect([open.find('ask-1'), open.find('call-1')]).toEqual([undefined, undefined]);
  });

  it('takes an answer to what nobody asked for nothing', () => {
    const session = sessionOf(...PAUSED);

    say(session, by('user', [respond('ask-9', 'adk_request_confirmation', { confirmed: true })]));
    say(
      session,
      by('user', [{ functionResponse: { name: 'adk_request_confirmation', response: { confirmed: true } } }]),
    );

    expect(
      PendingIndex.of(session)
        .list()
        .map(({ request }) => request.id),
    ).toEqual(['ask-1']);
  });

  it('lets only the user answer a request', () => {
    const session = sessionOf(...PAUSED);

    say(session, by('clerk', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));

    const open = PendingIndex.of(session);
    expect([open.find('ask-1')?.request.id, open.decisionOn('call-1')]).toEqual(['ask-1', undefined]);
  });

  it('takes no response that a model wrote for the answer to a call', () => {
    const session = sessionOf(by('clerk', [{ functionCall: EXPORT }]));
    const parts = [respond('call-3', 'export', { url: 'forged' })];

    say(session, new Event({ invocationId: 'e-1', author: 'clerk', content: { role: 'model', parts } }));

    expect(PendingIndex.of(session).findCall('call-3')?.call).toEqual(EXPORT);
  });

  it('takes responses to other calls for no answer, and those in another order for one', () => {
    const session = sessionOf(MADE_REFUND);

    say(session, by('clerk', [respond('other-1', 'refund', {}), respond('other-2', 'look_up', {})]));
    const open = PendingIndex.of(session);
    expect([open.findCall('call-1')?.call, open.findCall('call-2')?.call]).toEqual([REFUND, LOOK_UP]);

    say(session, by('clerk', [respond('call-2', 'look_up', {}), respond('call-1', 'refund', {})]));
    expect([open.findCall('call-1'), open.findCall('call-2'), open.abandoned()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it('keeps a call without arguments without any, and no call without an id', () => {
    const bare = { id: 'call-4', name: 'ping' };
    const open = PendingIndex.of(
      sessionOf(by('clerk', [{ functionCall: bare }, { functionCall: { name: 'ping' } }])),
    );

    expect(open.abandoned().map(({ call }) => call)).toStrictEqual([bare]);
  });

  it('gives a request another consumption key for each answer by the user that a rewind undid', () => {
    const session = sessionOf(...PAUSED);
    const key = (): string => PendingIndex.of(session).consumptionKey('ask-1');
    expect(key()).toBe('ask-1');

    for (const expected of ['ask-1~1', 'ask-1~2']) {
      say(
        session,
        by('clerk', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })], [], 'e-2'),
      );
      say(
        session,
        by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })], [], 'e-2'),
      );
      say(session, rewindTo('e-2'));

      expect(key()).toBe(expected);
    }
  });

  it('answers one of two requests and leaves the other', () => {
    const session = sessionOf(
      MADE_REFUND,
      ASKED_REFUND,
      by('clerk', [{ functionCall: confirmationOf('ask-2', LOOK_UP) }], ['ask-2']),
    );

    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: false })]));
    say(session, by('clerk', [respond('call-1', 'refund', { error: 'rejected' })]));

    const open = PendingIndex.of(session);
    expect(open.list().map(({ request }) => request.id)).toEqual(['ask-2']);
    expect(open.isWaiting(MADE_REFUND)).toBe(true);
  });

  it('keeps a long-running call open over its first response, with the arguments it was made with', () => {
    const open = PendingIndex.of(sessionOf(MADE_EXPORT, HANDLE));

    expect(open.list()).toEqual([
      {
        request: {
          kind: 'result',
          id: 'call-3',
          functionCallId: 'call-3',
          tool: 'export',
          askedAt: HANDLE.timestamp,
          args: { format: 'csv' },
        },
        invocationId: 'e-1',
      },
    ]);
    expect(open.findCall('call-3')).toEqual({ call: EXPORT, event: MADE_EXPORT });
  });

  it('opens a call whose tool said only while it ran that its result comes later', () => {
    const made = by('clerk', [{ functionCall: EXPORT }]);

    const open = PendingIndex.of(sessionOf(made, HANDLE));

    expect(open.list().map(({ request }) => request)).toEqual([
      {
        kind: 'result',
        id: 'call-3',
        functionCallId: 'call-3',
        tool: 'export',
        args: { format: 'csv' },
        askedAt: HANDLE.timestamp,
      },
    ]);
    expect(open.findCall('call-3')).toEqual({ call: EXPORT, event: made });
  });

  it('closes a long-running call with its first final result', () => {
    const session = sessionOf(MADE_EXPORT, HANDLE);

    say(session, by('user', [respond('call-3', 'export', { url: 'one' })]));
    const open = PendingIndex.of(session);
    expect([open.list(), open.isWaiting(MADE_EXPORT)]).toEqual([[], false]);

    expect([open.findCall('call-3'), open.findLongRunning('call-3')]).toEqual([undefined, undefined]);
  });

  it('takes what the user reports meanwhile for no end', () => {
    const session = sessionOf(MADE_EXPORT, HANDLE);

    say(session, by('user', [respond('call-3', 'export', { percent: 40 }, true)]));

    const open = PendingIndex.of(session);
    expect(open.list()).toHaveLength(1);
    expect(open.isWaiting(MADE_EXPORT)).toBe(false);
  });

  it('has nothing open of several calls that are answered in their order at once', () => {
    const made = by('clerk', [{ text: 'Wait.' }, { functionCall: REFUND }, { functionCall: LOOK_UP }]);
    const session = sessionOf(made);
    PendingIndex.of(session);

    say(session, by('clerk', [respond('call-1', 'refund', {}), respond('call-2', 'look_up', {})]));

    const open = PendingIndex.of(session);
    expect([open.abandoned(), open.isWaiting(made)]).toEqual([[], false]);
  });

  it.each<[string, Part[], string[]]>([
    ['a text', [{ text: 'Well?' }], ['call-1', 'call-2']],
    ['two texts', [{ text: 'Well?' }, { text: 'Hello?' }], ['call-1', 'call-2']],
    ['no part', [], ['call-1', 'call-2']],
    ['the first response', [respond('call-1', 'refund', {})], ['call-2']],
    ['a response and a text', [respond('call-1', 'refund', {}), { text: 'More comes.' }], ['call-2']],
    [
      'a response, and one that goes on',
      [respond('call-1', 'refund', {}), respond('call-2', 'look_up', {}, true)],
      ['call-2'],
    ],
  ])('leaves the calls open that %s does not answer', (_what, parts, left) => {
    const open = PendingIndex.of(sessionOf(MADE_REFUND, by('clerk', parts)));

    expect(open.abandoned().map(({ call }) => call.id)).toEqual(left);
    expect([open.isWaiting(MADE_REFUND), open.isWaiting(MADE_REFUND, new Set(left))]).toEqual([true, false]);
  });

  it('keeps calls open while those of a later event are answered', () => {
    const session = sessionOf(MADE_REFUND);
    PendingIndex.of(session);

    say(session, by('clerk', [{ functionCall: EXPORT }]));
    say(session, by('clerk', [respond('call-3', 'export', {})]));

    const open = PendingIndex.of(session);
    expect(open.abandoned().map(({ call }) => call.id)).toEqual(['call-1', 'call-2']);
  });

  it('closes a call that the event which made it answers, whatever other calls that event makes', () => {
    const made = by('clerk', [
      { functionCall: EXPORT },
      respond('call-3', 'export', {}),
      { functionCall: LOOK_UP },
    ]);

    const open = PendingIndex.of(sessionOf(made));

    expect(open.abandoned().map(({ call }) => call.id)).toEqual(['call-2']);
  });

  it('has a call wait in the event that made it, and in no other', () => {
    const same = by('clerk', [{ functionCall: EXPORT }]);
    const open = PendingIndex.of(sessionOf(MADE_EXPORT, HANDLE));

    expect([open.isWaiting(MADE_EXPORT), open.isWaiting(same)]).toEqual([true, false]);
  });

  it('awaits no result of a call that nobody made, or that has its result', () => {
    const session = sessionOf(HANDLE);
    expect(PendingIndex.of(session).list()).toEqual([]);

    say(session, MADE_EXPORT);
    say(session, by('user', [respond('call-3', 'export', { url: 'one' })]));
    say(session, HANDLE);

    const open = PendingIndex.of(session);
    expect([open.list(), open.findLongRunning('call-3')]).toEqual([[], undefined]);
  });

  it.each<[string, Event, Event[], string]>([
    ['a result', MADE_EXPORT, [HANDLE, askedAgain(HANDLE)], 'call-3'],
    ['a confirmation', MADE_REFUND, [ASKED_REFUND, askedAgain(ASKED_REFUND)], 'ask-1'],
  ])('keeps the first request where %s is asked for twice under one id', (_what, made, asked, id) => {
    const open = PendingIndex.of(sessionOf(made, ...asked));

    expect(open.list().map(({ request, invocationId }) => [request.id, invocationId])).toEqual([[id, 'e-1']]);
  });

  it('awaits a result without arguments where the call had none', () => {
    const made = by('clerk', [{ functionCall: { id: 'call-3', name: 'export' } }]);

    const [asked] = PendingIndex.of(sessionOf(made, HANDLE)).list();

    expect(asked?.request.args).toEqual({});
  });

  it('has only calls abandoned that no open request is about', () => {
    const session = sessionOf(...PAUSED, MADE_EXPORT, HANDLE, by('clerk', [{ functionCall: LOOK_UP }]));
    const abandoned = (): unknown[] =>
      PendingIndex.of(session)
        .abandoned()
        .map(({ call }) => call.id);
    expect(abandoned()).toEqual(['call-2']);

    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));

    expect(abandoned()).toEqual(['call-1', 'call-2']);
  });

  it('remembers a decision until the call has its response', () => {
    const session = sessionOf(...PAUSED);
    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));
    expect(PendingIndex.of(session).decisionOn('call-1')).toMatchObject({
      confirmation: { hint: 'Sure?', confirmed: true },
      shown: { id: 'ask-1' },
    });

    say(session, by('clerk', [respond('call-1', 'refund', {})]));

    expect(PendingIndex.of(session).decisionOn('call-1')).toBeUndefined();
  });

  it.each([true, false])('remembers a tool for the session only by an approval: %s', (confirmed) => {
    const asked = confirmationOf('ask-1', REFUND);
    const request = { ...asked, args: { ...asked.args, toolDefinition: 'sha256:1' } };
    const answer = respond('ask-1', 'adk_request_confirmation', { confirmed, remember: 'session' });

    const open = PendingIndex.of(
      sessionOf(MADE_REFUND, by('clerk', [{ functionCall: request }], ['ask-1']), by('user', [answer])),
    );

    expect(open.rememberedDefinition('refund', undefined)).toBe(confirmed ? 'sha256:1' : undefined);
  });

  it('keeps no decision of an answer to a request for a credential', () => {
    const args = { functionCallId: 'call-1', authConfig: { key: 'k' }, originalFunctionCall: REFUND };
    const asked = by(
      'clerk',
      [{ functionCall: { id: 'ask-1', name: 'adk_request_credential', args } }],
      ['ask-1'],
    );
    const session = sessionOf(MADE_REFUND, asked);
    expect(PendingIndex.of(session).find('call-1')?.request.kind).toBe('credential');

    say(session, by('user', [respond('ask-1', 'adk_request_credential', { confirmed: true })]));

    const open = PendingIndex.of(session);
    expect([open.list(), open.decisionOn('call-1')]).toEqual([[], undefined]);
  });

  it('finds a request for a credential by its call, also where that call was approved before', () => {
    const args = { functionCallId: 'call-1', authConfig: { key: 'k' }, originalFunctionCall: REFUND };
    const name = 'adk_request_credential';
    const session = sessionOf(...PAUSED);
    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));
    expect(PendingIndex.of(session).find('call-1')).toBeUndefined();

    say(session, by('clerk', [{ functionCall: { id: 'ask-2', name, args } }], ['ask-2']));

    expect(PendingIndex.of(session).find('call-1')?.request.id).toBe('ask-2');
  });

  it('keeps the consumption key over responses of tools that a rewind undid', () => {
    const session = sessionOf(...PAUSED, by('user', [respond('ask-1', 'refund', {})], [], 'e-2'));

    say(session, rewindTo('e-2'));

    expect(PendingIndex.of(session).consumptionKey('ask-1')).toBe('ask-1');
  });

  it('forgets what a rewind undid, and finds again what stood before', () => {
    const session = sessionOf(...PAUSED);
    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })], [], 'e-2'));
    say(session, by('clerk', [{ functionCall: EXPORT }], [], 'e-2'));

    say(session, rewindTo('e-2'));

    const open = PendingIndex.of(session);
    expect(open.list().map(({ request }) => request.id)).toEqual(['ask-1']);
    expect([open.findCall('call-3'), open.decisionOn('call-1')]).toEqual([undefined, undefined]);
  });

  it('has a call wait whose id is that of one with interim and final results', () => {
    const session = sessionOf(MADE_EXPORT, HANDLE);
    say(session, by('user', [respond('call-3', 'export', { percent: 40 }, true)]));
    say(session, by('user', [respond('call-3', 'export', { url: 'one' })]));
    const again = by('clerk', [{ functionCall: EXPORT }]);

    say(session, again);

    expect(PendingIndex.of(session).isWaiting(again)).toBe(true);
  });

  it('shares the frozen arguments of the calls of its events', () => {
    const event = by('clerk', [{ functionCall: LOOK_UP }]);
    const session = sessionOf(event);

    const call = PendingIndex.of(session).findCall(LOOK_UP.id)?.call;

    expect(call?.args).toBe(event.functionCalls[0]?.args);
    expect(Object.isFrozen(call?.args)).toBe(true);
  });

  it('closes what lies in the scope of a call that has its final response, and nothing else', () => {
    const outer = { id: 'outer', name: 'clerk', args: {} };
    const middle = { id: 'middle', name: 'cashier', args: {} };
    const inScope = (event: Event, isolationScope: string) => event.with({ isolationScope });
    const made = by('desk', [{ functionCall: outer }]);
    const madeInside = inScope(by('clerk', [{ functionCall: middle }]), `${made.id}/outer`);
    const inmost = `${madeInside.id}/middle`;
    const session = sessionOf(made, madeInside, ...PAUSED.map((event) => inScope(event, inmost)));
    const elsewhere = by('clerk', [{ functionCall: confirmationOf('ask-9', LOOK_UP) }], ['ask-9']);
    push(session, by('clerk', [{ functionCall: LOOK_UP }]), elsewhere);
    expect(PendingIndex.of(session).list()).toHaveLength(2);

    say(session, by('desk', [respond('outer', 'clerk', { error: 'outcome unknown' })]));

    const open = PendingIndex.of(session);
    expect(open.list().map(({ request }) => request.id)).toEqual(['ask-9']);
    expect(open.calls().map(({ call }) => call.id)).toEqual(['call-2']);
  });

  it('never replaces an open call by another of the same id, and knows that answers to it are ambiguous', () => {
    const OTHER = { ...REFUND, args: { cents: 900 } };
    const session = sessionOf(MADE_REFUND, by('other', [{ functionCall: OTHER }]), ASKED_REFUND);
    const open = PendingIndex.of(session);

    expect(open.findCall('call-1')?.call.args).toEqual({ cents: 500 });
    expect([open.isAmbiguous('call-1'), open.isAmbiguous('call-2')]).toEqual([true, false]);

    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));
    expect(open.decisionOn('call-1')).toBeUndefined();

    say(session, by('clerk', [respond('call-1', 'refund', { receipt: 'r-1' })]));
    expect(open.findCall('call-1')?.call.args).toEqual({ cents: 900 });
    expect(open.isAmbiguous('call-1')).toBe(false);
  });

  it('closes the requests of calls with one id when one of them has its response', () => {
    const asked = by('other', [{ functionCall: confirmationOf('ask-2', REFUND) }], ['ask-2']);
    const session = sessionOf(MADE_REFUND, by('other', [{ functionCall: REFUND }]), ASKED_REFUND, asked);
    expect(PendingIndex.of(session).list()).toHaveLength(2);

    say(session, by('clerk', [respond('call-1', 'refund', { receipt: 'r-1' })]));

    expect(PendingIndex.of(session).list()).toEqual([]);
  });

  it('has nothing to tell of a session without calls', () => {
    const open = PendingIndex.of(sessionOf(by('user', [{ text: 'Hello?' }])));

    expect([open.calls(), open.abandoned(), open.withoutResponse(), open.callersOf('e/call-1')]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect([open.answeredOf('call-1'), open.suppliedFor('call-1')]).toEqual([[], []]);
    expect([open.decisionOn('call-1'), open.findLongRunning('call-1')]).toEqual([undefined, undefined]);
    expect(open.rememberedDefinition('refund', undefined)).toBeUndefined();
  });

  it('has a request that is meant, and not any', () => {
    const open = PendingIndex.of(sessionOf(...PAUSED));

    const has = ['ask-1', 'ask-2'].map((id) => open.hasRequest(({ request }) => request.id === id));

    expect(has).toEqual([true, false]);
  });

  it('knows the keys of all credentials that were supplied for a call, until it has its response', () => {
    const session = sessionOf(MADE_REFUND);
    for (const key of ['bank', 'vault']) {
      say(session, credentialOf(`ask-${key}`, key));
      say(session, by('user', [respond(`ask-${key}`, 'adk_request_credential', {})]));
    }
    const open = PendingIndex.of(session);
    expect([open.suppliedFor('call-1'), open.suppliedFor('call-2')]).toEqual([['bank', 'vault'], []]);
    expect(open.answeredOf('call-1')).toEqual([]);

    say(session, by('clerk', [respond('call-1', 'refund', {})]));

    expect(open.suppliedFor('call-1')).toEqual([]);
  });

  it('keeps arguments that an approval changed over a later approval', () => {
    const session = sessionOf(MADE_REFUND);
    say(session, ASKED_REFUND);
    const changed = { confirmed: true, args: { cents: 400 } };
    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', changed)]));
    say(session, by('clerk', [{ functionCall: confirmationOf('ask-2', REFUND) }], ['ask-2']));
    say(session, by('user', [respond('ask-2', 'adk_request_confirmation', { confirmed: true })]));

    expect(PendingIndex.of(session).decisionOn('call-1')).toMatchObject({
      args: { cents: 400 },
      shown: { id: 'ask-2' },
    });
  });

  it('has a call wait for the second of two requests when the first is answered', () => {
    const second = by('clerk', [{ functionCall: confirmationOf('ask-2', REFUND) }], ['ask-2']);
    const session = sessionOf(by('clerk', [{ functionCall: REFUND }]), ASKED_REFUND, second);

    say(session, by('user', [respond('ask-1', 'adk_request_confirmation', { confirmed: true })]));

    const open = PendingIndex.of(session);
    expect([open.abandoned(), open.find('call-1')]).toEqual([[], undefined]);
    expect(open.list().map(({ request }) => request.id)).toEqual(['ask-2']);
  });

  it('lists the calls that wait for a person and have not even a pending response', () => {
    const early = by('clerk', [respond('call-1', 'refund', PENDING_RESPONSE, true)]);
    const session = sessionOf(early, by('clerk', [{ functionCall: REFUND }]), ASKED_REFUND);
    const unanswered = (): unknown[] =>
      PendingIndex.of(session)
        .withoutResponse()
        .map(({ call }) => call.id);
    expect(unanswered()).toEqual(['call-1']);

    say(session, early);

    expect(unanswered()).toEqual([]);
  });

  it('finds two other calls with the id of an answered one one after the other', () => {
    const made = [500, 900, 700].map((cents) =>
      by('clerk', [{ functionCall: { ...REFUND, args: { cents } } }]),
    );
    const session = sessionOf(...made);
    const open = PendingIndex.of(session);
    const answer = by('clerk', [respond('call-1', 'refund', {}), { text: 'Done.' }]);
    const seen: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      seen.push([open.findCall('call-1')?.call.args, open.isAmbiguous('call-1')]);
      say(session, answer);
    }

    expect(seen).toEqual([
      [{ cents: 500 }, true],
      [{ cents: 900 }, true],
      [{ cents: 700 }, false],
    ]);
    expect(open.findCall('call-1')).toBeUndefined();
  });

  it('closes no request of another call where one of several calls with one id has its response', () => {
    const other = by('clerk', [{ functionCall: confirmationOf('ask-9', LOOK_UP) }], ['ask-9']);
    const session = sessionOf(MADE_REFUND, by('other', [{ functionCall: REFUND }]), ASKED_REFUND, other);

    say(session, by('clerk', [respond('call-1', 'refund', {}), { text: 'Done.' }]));

    expect(
      PendingIndex.of(session)
        .list()
        .map(({ request }) => request.id),
    ).toEqual(['ask-9']);
  });

  it('closes a request without a call with the scope that it was made in, and none of its id elsewhere', () => {
    const outer = by('desk', [{ functionCall: { id: 'outer', name: 'clerk', args: {} } }]);
    const asked = (id: string, isolationScope?: string): Event => {
      const event = by('clerk', [{ functionCall: confirmationOf(id, LOOK_UP) }], [id]);
      return isolationScope === undefined ? event : event.with({ isolationScope });
    };
    const scope = `${outer.id}/outer`;
    const session = sessionOf(outer, asked('ask-1', scope), asked('ask-2', scope));
    say(session, by('user', [respond('ask-2', 'adk_request_confirmation', { confirmed: true })]));
    say(session, asked('ask-2'));

    say(session, by('desk', [respond('outer', 'clerk', {}), { text: 'Done.' }]));

    expect(
      PendingIndex.of(session)
        .list()
        .map(({ request }) => request.id),
    ).toEqual(['ask-2']);
  });

  it.each<[string, (made: Event) => string, string[]]>([
    ['the event of its call', ({ id }) => `${id}/outer`, ['ask-1']],
    ['its call alone, as in older logs', () => 'outer', ['ask-1']],
    ['another call of the same id', () => 'e-9/outer', []],
    ['a call that is not open', ({ id }) => `${id}/inner`, []],
  ])('takes a request in a scope that names %s', (_what, scopeOf, ids) => {
    const outer = by('desk', [{ functionCall: { id: 'outer', name: 'clerk', args: {} } }]);
    const scope = scopeOf(outer);
    const open = PendingIndex.of(sessionOf(outer, ASKED_REFUND.with({ isolationScope: scope })));

    expect(open.list().map(({ request }) => request.id)).toEqual(ids);
    expect(open.callersOf(scope)).toHaveLength(scope.endsWith('outer') ? 1 : 0);
  });

  it('gives the result of a call the same key over what the user reported meanwhile and a rewind undid', () => {
    const session = sessionOf(MADE_EXPORT, HANDLE);
    const key = (): string => {
      const open = PendingIndex.of(session);
      return open.consumptionKeyOfResult(open.findCall('call-3')!);
    };
    const before = key();
    say(session, by('user', [respond('call-3', 'export', { percent: 40 }, true)], [], 'e-2'));
    say(session, rewindTo('e-2'));
    expect(key()).toBe(before);

    say(session, by('user', [respond('call-3', 'export', { url: 'one' })], [], 'e-3'));
    say(session, rewindTo('e-3'));

    expect(key()).toBe(`${before}~1`);
  });

  it('is one index for one session, and looks at no event twice', () => {
    const session = sessionOf(...PAUSED);
    const open = PendingIndex.of(session);
    const seen = session.events.splice(0, session.events.length, ...session.events.map(() => UNREADABLE));
    say(session, by('clerk', [respond('call-1', 'refund', { receipt: 'r-1' })]));

    expect(PendingIndex.of(session)).toBe(open);
    expect([seen.length, open.findCall('call-1')]).toEqual([3, undefined]);
  });
});

const UNREADABLE = new Proxy(by('clerk', []), {
  get: () => {
    throw new Error('This event was read already.');
  },
});

/** Appends an event, and lets the index see it. */
function say(session: LoggedSession, event: Event): void {
  push(session, event);
  PendingIndex.of(session);
}

function by(author: string, parts: Part[], longRunningToolIds: string[] = [], invocationId = 'e-1'): Event {
  return new Event({ invocationId, author, content: { role: 'user', parts }, longRunningToolIds });
}

/** The same request, asked in another invocation. */
function askedAgain({ author, content, longRunningToolIds }: Event): Event {
  return new Event({ invocationId: 'e-9', author, content, longRunningToolIds });
}

function rewindTo(rewindBeforeInvocationId: string): Event {
  return new Event({ invocationId: 'r-1', author: 'user', actions: { rewindBeforeInvocationId } });
}

/** A request for a credential for the refund, under this key. */
function credentialOf(id: string, credentialKey: string): Event {
  const args = { functionCallId: 'call-1', authConfig: { credentialKey }, originalFunctionCall: REFUND };
  return by('clerk', [{ functionCall: { id, name: 'adk_request_credential', args } }], [id]);
}

function confirmationOf(id: string, originalFunctionCall: typeof REFUND | typeof LOOK_UP) {
  const toolConfirmation = { hint: 'Sure?', confirmed: false };
  return { id, name: 'adk_request_confirmation', args: { originalFunctionCall, toolConfirmation } };
}

function respond(id: string, name: string, response: Record<string, unknown>, willContinue?: true): Part {
  const functionResponse: FunctionResponse = { id, name, response };
  return {
    functionResponse: willContinue === undefined ? functionResponse : { ...functionResponse, willContinue },
  };
}
