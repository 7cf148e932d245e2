import { push, sessionOf } from '../session-log.fixture.js';
import type { EventFields } from '../../backend.js';
import { type Content, Event, type Part, type Session } from '../../index.js';
import { History } from './history.js';
import { PENDING_RESPONSE } from '../../events/placeholder-response.js';

const AGENT = { name: 'clerk', path: 'root/clerk' };

describe('the history of an agent', () => {
  it('holds what the user and the agent said, the same objects as in the log', () => {
    const session = sessionOf(user('Hello.'), model({ text: 'Hi.' }), user('Time?'));

    const { contents } = History.of(session, AGENT, undefined);

    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Hello.' }] },
      { role: 'model', parts: [{ text: 'Hi.' }] },
      { role: 'user', parts: [{ text: 'Time?' }] },
    ]);
    expect(contents.every((content, index) => content === session.events[index]?.content)).toBe(true);
  });

  it('leaves out empty texts of a model, but for those that bear a signature', () => {
    const signed = { text: '', thoughtSignature: 'c2ln' };
    const session = sessionOf(
      user('Hello.'),
      model({ text: '' }),
      model({ text: 'Hi.' }, { text: '', thought: true }, { text: '' }, signed),
    );

    expect(contentsOf(session)).toEqual([
      said('user', 'Hello.'),
      { role: 'model', parts: [{ text: 'Hi.' }, signed] },
    ]);
    expect(session.events[1]?.content?.parts).toEqual([{ text: '' }]);
  });

  it('leaves out events that say nothing', () => {
    const session = sessionOf(
      user('Hello.'),
      event({ author: 'clerk', actions: { stateDelta: { a: 1 } } }),
      event({ author: 'clerk', errorCode: 'SAFETY', errorMessage: 'blocked' }),
      event({ author: 'clerk', content: { role: 'model', parts: [] } }),
      event({ author: 'clerk', content: { role: 'model' } }),
    );

    expect(contentsOf(session)).toEqual([said('user', 'Hello.')]);
  });

  it('keeps thoughts and their signatures of its own answers', () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Hi.', thoughtSignature: 'c2ln' },
    ];

    expect(contentsOf(sessionOf(user('Hello.'), model(...parts)))[1]).toEqual({ role: 'model', parts });
  });

  describe('of calls and responses', () => {
    it('takes off the ids that the framework gave, and leaves those of the model', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('look', 'adk-1'), call('look', 'c1')),
        responses(response('look', 'adk-1', { at: 1 }), response('look', 'c1', { at: 2 })),
      );

      expect(contentsOf(session).slice(1)).toEqual([
        { role: 'model', parts: [call('look'), call('look', 'c1')] },
        { role: 'user', parts: [response('look', undefined, { at: 1 }), response('look', 'c1', { at: 2 })] },
      ]);
    });

    it('keeps the signature of a call whose id it takes off', () => {
      const session = sessionOf(user('Go.'), model({ ...call('look', 'adk-1'), thoughtSignature: 'c2ln' }));

      expect(contentsOf(session)[1]?.parts).toEqual([{ ...call('look'), thoughtSignature: 'c2ln' }]);
    });

    it('puts the real response in the place of the one that said it was pending', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('look', 'c1'), call('refund', 'c2')),
        request('adk-9', 'c2'),
        responses(response('look', 'c1', { at: 1 }), pending('refund', 'c2')),
      );
      const before = contentsOf(session);
      push(
        session,
        answer('adk-9', { confirmed: true }),
        responses(response('refund', 'c2', { done: true })),
      );

      expect(before.at(-1)).toEqual({
        role: 'user',
        parts: [response('look', 'c1', { at: 1 }), response('refund', 'c2', PENDING_RESPONSE)],
      });
      expect(contentsOf(session)).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('look', 'c1'), call('refund', 'c2')] },
        {
          role: 'user',
          parts: [response('look', 'c1', { at: 1 }), response('refund', 'c2', { done: true })],
        },
      ]);
    });

    it('takes a response without an id for that of a call without one, also where it comes late', () => {
      const session = sessionOf(user('Go.'), model(call('look')), user('And?'));
      const before = contentsOf(session);
      push(session, responses(response('look', undefined, { at: 1 })), model(call('look')));
      push(session, responses(later('look', undefined, { at: 2 })));
      push(session, responses(response('look', undefined, { at: 3 })));

      expect(before[2]).toEqual({ role: 'user', parts: [response('look', undefined, INTERRUPTED)] });
      expect(contentsOf(session)).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('look')] },
        { role: 'user', parts: [response('look', undefined, { at: 1 })] },
        said('user', 'And?'),
        { role: 'model', parts: [call('look')] },
        { role: 'user', parts: [response('look', undefined, { at: 3 })] },
      ]);
    });

    it('puts it there also where the talk went on in between', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('refund', 'c1')),
        request('adk-9', 'c1'),
        responses(pending('refund', 'c1')),
        user('What now?'),
        model({ text: 'We wait.' }),
        answer('adk-9', { confirmed: true }),
        responses(response('refund', 'c1', { done: true })),
      );

      expect(contentsOf(session)).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('refund', 'c1')] },
        { role: 'user', parts: [response('refund', 'c1', { done: true })] },
        said('user', 'What now?'),
        said('model', 'We wait.'),
      ]);
    });

    it('fills in the answers to one batch as they come, in whatever order', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('a', 'c1'), call('b', 'c2'), call('c', 'c3')),
        responses(pending('a', 'c1'), pending('b', 'c2'), pending('c', 'c3')),
        responses(response('c', 'c3', { n: 3 })),
        responses(response('b', 'c2', { n: 2 }), response('a', 'c1', { n: 1 })),
      );

      expect(contentsOf(session).slice(2)).toEqual([
        {
          role: 'user',
          parts: [
            response('a', 'c1', { n: 1 }),
            response('b', 'c2', { n: 2 }),
            response('c', 'c3', { n: 3 }),
          ],
        },
      ]);
    });

    it('holds the newest of several responses of a long-running call', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('book', 'c1')),
        responses(later('book', 'c1', { ticket: 7 })),
        event({ author: 'user', content: { role: 'user', parts: [later('book', 'c1', { progress: 50 })] } }),
        user('Well?'),
        event({ author: 'user', content: { role: 'user', parts: [response('book', 'c1', { seat: '1A' })] } }),
        event({ author: 'user', content: { role: 'user', parts: [response('book', 'c1', { seat: '2B' })] } }),
      );

      expect(contentsOf(session)).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('book', 'c1')] },
        { role: 'user', parts: [response('book', 'c1', { seat: '2B' })] },
        said('user', 'Well?'),
      ]);
    });

    it('keeps the words that came with a late result', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('book', 'c1')),
        responses(later('book', 'c1', { ticket: 7 })),
        event({
          author: 'user',
          content: { role: 'user', parts: [response('book', 'c1', { seat: '1A' }), { text: 'There.' }] },
        }),
      );

      expect(contentsOf(session).slice(2)).toEqual([
        { role: 'user', parts: [response('book', 'c1', { seat: '1A' })] },
        said('user', 'There.'),
      ]);
    });

    it('drops a response whose call it does not know', () => {
      const session = sessionOf(
        user('Go.'),
        responses(response('look', 'c9', { at: 1 })),
        model({ text: 'Hm.' }),
      );

      expect(contentsOf(session)).toEqual([said('user', 'Go.'), said('model', 'Hm.')]);
    });

    it('answers a call that was left in the middle, and takes the real answer where it comes after all', () => {
      const session = sessionOf(user('Go.'), model(call('look', 'c1'), call('look', 'c2')), user('Hello?'));
      const before = contentsOf(session);
      push(session, responses(response('look', 'c2', { at: 2 })));

      expect(before).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('look', 'c1'), call('look', 'c2')] },
        { role: 'user', parts: [response('look', 'c1', INTERRUPTED), response('look', 'c2', INTERRUPTED)] },
        said('user', 'Hello?'),
      ]);
      expect(contentsOf(session)[2]?.parts).toEqual([
        response('look', 'c1', INTERRUPTED),
        response('look', 'c2', { at: 2 }),
      ]);
    });

    it('answers a call of the last event too: no request ends with one', () => {
      expect(contentsOf(sessionOf(user('Go.'), model(call('look', 'c1')))).at(-1)).toEqual({
        role: 'user',
        parts: [response('look', 'c1', INTERRUPTED)],
      });
    });

    it('tells the calls of one id in two turns apart', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('look', 'c1')),
        responses(response('look', 'c1', { at: 1 })),
        model(call('look', 'c1')),
        responses(response('look', 'c1', { at: 2 })),
      );

      expect(
        contentsOf(session).flatMap(({ parts = [] }) =>
          parts.map(({ functionResponse }) => functionResponse?.response),
        ),
      ).toEqual([undefined, undefined, { at: 1 }, undefined, { at: 2 }]);
    });

    it('shows nothing of the talk with a person', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('refund', 'c1')),
        request('adk-9', 'c1'),
        responses(pending('refund', 'c1')),
        answer('adk-9', { confirmed: false }),
        responses(response('refund', 'c1', { error: 'tool call was rejected by the user' })),
      );

      expect(contentsOf(session)).toEqual([
        said('user', 'Go.'),
        { role: 'model', parts: [call('refund', 'c1')] },
        { role: 'user', parts: [response('refund', 'c1', { error: 'tool call was rejected by the user' })] },
      ]);
    });

    it('finds the place of a late response also beside a call that is hidden', () => {
      const session = sessionOf(
        user('Go.'),
        model(call('adk_request_confirmation', 'c0'), call('refund', 'c1'), call('look', 'c2')),
        responses(
          response('adk_request_confirmation', 'c0', { error: 'no such tool' }),
          pending('refund', 'c1'),
          response('look', 'c2', { at: 2 }),
        ),
        responses(response('refund', 'c1', { done: true })),
      );

      expect(contentsOf(session).slice(1)).toEqual([
        { role: 'model', parts: [call('refund', 'c1'), call('look', 'c2')] },
        {
          role: 'user',
          parts: [response('refund', 'c1', { done: true }), response('look', 'c2', { at: 2 })],
        },
      ]);
    });
  });

  describe('of others', () => {
    it('tells what another agent said and did as something a user tells, its thoughts left out', () => {
      const session = sessionOf(
        user('Go.'),
        event({
          author: 'scout',
          content: {
            role: 'model',
            parts: [
              { text: 'secret thought', thought: true },
              { text: 'I look.' },
              { text: ' ' },
              call('look', 'c1', { where: 'here' }),
            ],
          },
        }),
        event({ author: 'scout', content: { role: 'user', parts: [response('look', 'c1', { at: 1 })] } }),
        event({ author: 'scout', content: { role: 'model', parts: [{ text: 'hm', thought: true }] } }),
        event({
          author: 'scout',
          content: { role: 'user', parts: [call('adk_request_confirmation', 'adk-9')] },
        }),
        event({
          author: 'scout',
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] },
        }),
      );

      expect(contentsOf(session).slice(1)).toEqual([
        {
          role: 'user',
          parts: [
            { text: 'For context:' },
            { text: '[scout] said: I look.' },
            { text: '[scout] called tool `look` with {"where":"here"}' },
          ],
        },
        {
          role: 'user',
          parts: [{ text: 'For context:' }, { text: '[scout] tool `look` returned {"at":1}' }],
        },
        {
          role: 'user',
          parts: [{ text: 'For context:' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }],
        },
      ]);
    });

    it('tells one response of a call that waited: the newest, in the place of the first', () => {
      const session = sessionOf(
        user('Go.'),
        scout('model', call('refund', 'c1'), call('refund', 'c2'), call('look', 'c3')),
        scout('user', pending('refund', 'c1'), pending('refund', 'c2'), response('look', 'c3', { at: 1 }), {
          text: 'Wait.',
        }),
        user('Well?'),
        scout('user', response('refund', 'c2', { done: 2 })),
        scout('user', response('refund', 'c1', { done: 1 }), { text: 'Both.' }),
      );

      expect(textsOf(session).slice(6)).toEqual([
        '[scout] tool `refund` returned {"done":1}',
        '[scout] tool `refund` returned {"done":2}',
        '[scout] tool `look` returned {"at":1}',
        '[scout] said: Wait.',
        'Well?',
        'For context:',
        '[scout] said: Both.',
      ]);
    });

    it('tells the newest of the results that come from outside for the call of another agent', () => {
      const session = sessionOf(
        user('Go.'),
        scout('model', call('book', 'c1')),
        scout('user', later('book', 'c1', { ticket: 7 })),
      );
      const told = () => textsOf(session).filter((text) => text?.includes('returned'));
      const seen = [told()];
      for (const seat of ['1A', '2B']) {
        push(
          session,
          event({ author: 'user', content: { role: 'user', parts: [response('book', 'c1', { seat })] } }),
        );
        seen.push(told());
      }

      expect(seen).toEqual([
        ['[scout] tool `book` returned {"ticket":7}'],
        ['[scout] tool `book` returned {"seat":"1A"}'],
        ['[scout] tool `book` returned {"seat":"2B"}'],
      ]);
    });

    it('tells the responses to two calls of one id apart', () => {
      const session = sessionOf(
        scout('model', call('book', 'c1')),
        scout('user', later('book', 'c1', { ticket: 7 })),
        scout('model', call('book', 'c1')),
        scout('user', response('book', 'c1', { seat: '1A' })),
      );

      expect(textsOf(session).filter((text) => text?.includes('returned'))).toEqual([
        '[scout] tool `book` returned {"ticket":7}',
        '[scout] tool `book` returned {"seat":"1A"}',
      ]);
    });

    it('keeps the final response to a call where another with its id follows', () => {
      const session = sessionOf(
        scout('model', call('book', 'c1')),
        scout('user', response('book', 'c1', { seat: '1A' })),
        scout('user', response('book', 'c1', { seat: '2B' })),
      );

      expect(textsOf(session).filter((text) => text?.includes('returned'))).toEqual([
        '[scout] tool `book` returned {"seat":"1A"}',
        '[scout] tool `book` returned {"seat":"2B"}',
      ]);
    });

    it('shows an agent that runs as a tool its own run and the results of the user, and no other words', () => {
      const isolationScope = 'event-1/c9';
      const isolated = (author: string, content: Content) => event({ author, content, isolationScope });
      const session = sessionOf(
        user('Go.'),
        model({ text: 'I ask the scout.' }, call('scout', 'c9')),
        isolated('user', said('user', 'Look.')),
        isolated('scout', { role: 'model', parts: [call('book', 'c1')] }),
        isolated('scout', { role: 'user', parts: [later('book', 'c1', { ticket: 7 })] }),
        event({
          author: 'user',
          content: { role: 'user', parts: [{ text: 'Here it is.' }, response('book', 'c1', { seat: '1A' })] },
        }),
        event({ author: 'clerk', content: { role: 'user', parts: [response('scout', 'c9', { done: 1 })] } }),
      );

      const { contents } = History.of(
        session,
        { name: 'scout', path: 'root/scout' },
        { scope: isolationScope },
      );

      expect([...contents]).toEqual([
        said('user', 'Look.'),
        { role: 'model', parts: [call('book', 'c1')] },
        { role: 'user', parts: [response('book', 'c1', { seat: '1A' })] },
      ]);
    });

    it.each<[string, string | undefined, string[]]>([
      ['the trunk', undefined, ['trunk', 'a', 'a.b', 'a.c', 'ab']],
      ['a branch', 'a', ['trunk', 'a', 'a.b', 'a.c', 'ab']],
      ['a branch of a branch', 'a.b', ['trunk', 'a', 'a.b', 'ab']],
      ['the branch beside it', 'a.c', ['trunk', 'a', 'a.c', 'ab']],
      ['a branch of another label', 'ab', ['trunk', 'a', 'a.b', 'a.c', 'ab']],
    ])('sees, from %s, all but the branches beside its own', (_where, branch, seen) => {
      const branches = ['trunk', 'a', 'a.b', 'a.c', 'ab'];
      const events = branches.map((name) => {
        const own = name === 'trunk' ? {} : { branch: name };
        return event({ author: 'scout', content: said('model', name), ...own });
      });

      const { contents } = History.of(sessionOf(...events), AGENT, { branch });

      expect(contents.map(({ parts }) => parts?.[1]?.text)).toEqual(
        seen.map((name) => `[scout] said: ${name}`),
      );
    });

    it('has a response for a call of an ended branch, also if that is stored before its branch has ended', () => {
      const made = { author: 'clerk', nodeInfo: { path: 'root/clerk' } };
      const session = sessionOf(
        user('Go.'),
        event({ ...made, branch: 'all.0', content: { role: 'model', parts: [call('look', 'c1')] } }),
        event({
          ...made,
          branch: 'all',
          content: { role: 'user', parts: [response('look', 'c1', { a: 1 })] },
        }),
      );

      const { contents } = History.of(session, AGENT, { branch: 'all@2.1' });

      expect(contents.map(({ parts }) => parts?.map((part) => Object.keys(part)[0]))).toEqual([
        ['text'],
        ['functionCall'],
        ['functionResponse'],
      ]);
    });

    it('is another for another agent, and for the same one at another place', () => {
      const session = sessionOf(user('Go.'), model({ text: 'Hi.' }));

      expect(History.of(session, AGENT, undefined)).toBe(History.of(session, AGENT, undefined));
      expect(History.of(session, { name: 'scout', path: 'root/scout' }, undefined).contents[1]).toEqual({
        role: 'user',
        parts: [{ text: 'For context:' }, { text: '[clerk] said: Hi.' }],
      });
    });
  });

  it.each<[string, string, string | undefined, boolean]>([
    ['at its path', 'clerk', 'root/clerk', true],
    ['in another run of its node', 'clerk', 'root/clerk@2', true],
    ['by its name in a log without paths', 'clerk', undefined, true],
    ['by its name in a tree of another kit', 'clerk', 'flow/clerk', true],
    ['by its namesake under another parent', 'clerk', 'root/desk/clerk', false],
    ['by another agent', 'scout', 'root/scout', false],
  ])(
    'shows as its own words what was said %s, and as context what others said',
    (_where, author, path, isOwn) => {
      const nodeInfo = path === undefined ? undefined : { path };
      const session = sessionOf(user('Go.'), event({ author, nodeInfo, content: said('model', 'Hi.') }));

      const { contents } = History.of(session, AGENT, undefined);

      expect(contents[1]?.role).toBe(isOwn ? 'model' : 'user');
    },
  );

  describe('of the current turn', () => {
    it('begins with the message that a late result goes on from', () => {
      const session = sessionOf(
        user('Hello.'),
        model({ text: 'Hi.' }),
        user('Book it.'),
        model(call('book', 'c1')),
        responses(later('book', 'c1', { ticket: 7 })),
        event({ author: 'user', content: { role: 'user', parts: [response('book', 'c1', { seat: '1A' })] } }),
      );

      expect(historyOf(session)).toEqual([
        said('user', 'Book it.'),
        { role: 'model', parts: [call('book', 'c1')] },
        { role: 'user', parts: [response('book', 'c1', { seat: '1A' })] },
      ]);
    });

    it('holds a call that was approved after other talk, and leaves the talk out', () => {
      const session = sessionOf(
        user('Refund.'),
        model(call('refund', 'c1')),
        request('adk-9', 'c1'),
        responses(pending('refund', 'c1')),
        user('What now?'),
        model({ text: 'We wait.' }),
        answer('adk-9', { confirmed: true }),
        responses(response('refund', 'c1', { done: true })),
        model(call('look', 'c2')),
        responses(response('look', 'c2', { at: 1 })),
      );

      expect(historyOf(session)).toEqual([
        said('user', 'Refund.'),
        { role: 'model', parts: [call('refund', 'c1')] },
        { role: 'user', parts: [response('refund', 'c1', { done: true })] },
        { role: 'model', parts: [call('look', 'c2')] },
        { role: 'user', parts: [response('look', 'c2', { at: 1 })] },
      ]);
    });

    it('holds a call that was approved together with words, and the words', () => {
      const yes = { functionResponse: { id: 'adk-9', name: CONFIRMATION, response: { confirmed: true } } };
      const session = sessionOf(
        user('Refund.'),
        model(call('refund', 'c1')),
        request('adk-9', 'c1'),
        responses(pending('refund', 'c1')),
        event({ author: 'user', content: { role: 'user', parts: [yes, { text: 'Be quick.' }] } }),
        responses(response('refund', 'c1', { done: true })),
      );

      expect(historyOf(session)).toEqual([
        said('user', 'Refund.'),
        { role: 'model', parts: [call('refund', 'c1')] },
        { role: 'user', parts: [response('refund', 'c1', { done: true })] },
        said('user', 'Be quick.'),
      ]);
    });

    it('goes back through every approval that led to it', () => {
      const session = sessionOf(
        user('Hello.'),
        user('Refund.'),
        model(call('refund', 'c1')),
        responses(pending('refund', 'c1')),
        user('Hm.'),
        answer('adk-1', { confirmed: true }),
        responses(response('refund', 'c1', { done: 1 })),
        model(call('refund', 'c2')),
        responses(pending('refund', 'c2')),
        user('Well?'),
        answer('adk-2', { confirmed: true }),
        responses(response('refund', 'c2', { done: 2 })),
      );

      expect(historyOf(session)).toEqual([
        said('user', 'Refund.'),
        { role: 'model', parts: [call('refund', 'c1')] },
        { role: 'user', parts: [response('refund', 'c1', { done: 1 })] },
        { role: 'model', parts: [call('refund', 'c2')] },
        { role: 'user', parts: [response('refund', 'c2', { done: 2 })] },
      ]);
    });

    it('leaves the approved call of an earlier turn out once the user says something else', () => {
      const session = sessionOf(
        user('Refund.'),
        model(call('refund', 'c1')),
        responses(pending('refund', 'c1')),
        answer('adk-9', { confirmed: true }),
        responses(response('refund', 'c1', { done: true })),
        model({ text: 'Done.' }),
        user('Thanks.'),
      );

      expect(historyOf(session)).toEqual([said('user', 'Thanks.')]);
    });

    it("holds the user's message after a hand-over, and not the words of another agent alone", () => {
      const session = sessionOf(
        user('My bill is wrong.'),
        event({ author: 'desk', content: { role: 'model', parts: [call('transfer_to_agent', 'c1')] } }),
        event({
          author: 'desk',
          content: { role: 'user', parts: [response('transfer_to_agent', 'c1', {})] },
        }),
      );

      expect(historyOf(session)[0]).toEqual(said('user', 'My bill is wrong.'));
    });

    it('goes on with the turn before where a message holds nothing but answers that nobody took', () => {
      const session = sessionOf(
        user('Refund.'),
        model({ text: 'Hm.' }),
        answer('adk-9', { confirmed: true }),
      );

      expect(historyOf(session)).toEqual([said('user', 'Refund.'), said('model', 'Hm.')]);
    });
  });

  it('looks at each event once, however often it is asked for', () => {
    const { events, looks } = watched();
    const session = { ...sessionOf(), events };
    for (let turn = 0; turn < 20; turn++) {
      push(
        session,
        user('Go.'),
        model(call('look', `c${String(turn)}`)),
        responses(response('look', `c${String(turn)}`, {})),
      );
      History.of(session, AGENT, undefined);
      History.of(session, AGENT, undefined);
    }

    expect(looks).toHaveLength(60);
    expect(new Set(looks).size).toBe(60);
  });

  it('is made once more after a rewind, however many there were, and then goes on', () => {
    const { events, looks } = watched();
    const session = { ...sessionOf(), events };
    push(session, user('One.'), saidIn('Two.', 'e-2'), undo('e-2'), saidIn('Three.', 'e-3'), undo('e-3'));
    const before = History.of(session, AGENT, undefined).contents;
    expect(before).toEqual([said('user', 'One.')]);
    push(session, saidIn('Four.', 'e-4'));
    History.of(session, AGENT, undefined);
    push(session, undo('e-1'));

    looks.length = 0;
    const { contents } = History.of(session, AGENT, undefined);
    expect([contents, historyOf(session)]).toEqual([[], []]);
    expect(before).toEqual([said('user', 'One.')]);
    expect(looks.length).toBeLessThan(3 * events.length);

    looks.length = 0;
    push(session, user('Five.'));
    expect(History.of(session, AGENT, undefined).contents).toEqual([said('user', 'Five.')]);
    expect(looks).toEqual(['7']);
  });
});

const CONFIRMATION = 'adk_request_confirmation';
const INTERRUPTED = { error: 'This call was interrupted: its outcome is unknown.' };

function contentsOf(session: Session) {
  return [...History.of(session, AGENT, undefined).contents];
}

function historyOf(session: Session) {
  return History.of(session, AGENT, undefined).currentTurn();
}

function textsOf(session: Session): (string | undefined)[] {
  return contentsOf(session).flatMap(({ parts = [] }) => parts.map(({ text }) => text));
}

function scout(role: string, ...parts: Part[]): Event {
  return event({ author: 'scout', content: { role, parts } });
}

function event(fields: Omit<EventFields, 'invocationId'>): Event {
  return new Event({ invocationId: 'e-1', ...fields });
}

function user(text: string): Event {
  return event({ author: 'user', content: said('user', text) });
}

function saidIn(text: string, invocationId: string): Event {
  return new Event({ invocationId, author: 'user', content: said('user', text) });
}

function undo(rewindBeforeInvocationId: string): Event {
  return event({ author: 'user', actions: { rewindBeforeInvocationId } });
}

function model(...parts: Part[]): Event {
  return event({ author: 'clerk', content: { role: 'model', parts } });
}

function responses(...parts: Part[]): Event {
  return event({ author: 'clerk', content: { role: 'user', parts } });
}

function said(role: string, text: string) {
  return { role, parts: [{ text }] };
}

function call(name: string, id?: string, args: Record<string, unknown> = {}): Part {
  return { functionCall: { ...(id !== undefined && { id }), name, args } };
}

function response(name: string, id: string | undefined, value: Record<string, unknown>): Part {
  return { functionResponse: { ...(id !== undefined && { id }), name, response: value } };
}

function later(name: string, id: string | undefined, value: Record<string, unknown>): Part {
  return { functionResponse: { ...(id !== undefined && { id }), name, response: value, willContinue: true } };
}

function pending(name: string, id: string): Part {
  return later(name, id, PENDING_RESPONSE);
}

function request(id: string, functionCallId: string): Event {
  const args = {
    originalFunctionCall: { id: functionCallId, name: 'refund', args: {} },
    toolConfirmation: { hint: '?', confirmed: false },
  };
  const parts = [{ functionCall: { id, name: 'adk_request_confirmation', args } }];
  return event({ author: 'clerk', content: { role: 'user', parts }, longRunningToolIds: [id] });
}

function answer(id: string, value: Record<string, unknown>): Event {
  const parts = [{ functionResponse: { id, name: 'adk_request_confirmation', response: value } }];
  return event({ author: 'user', content: { role: 'user', parts } });
}

/** A list of events that writes down each look at one of them. */
function watched() {
  const looks: string[] = [];
  const events = new Proxy<Event[]>([], {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks.push(key);
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { events, looks };
}
