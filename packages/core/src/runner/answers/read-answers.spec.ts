import { toPrincipal } from '../../approvals/principal.js';
import type { Part } from '../../events/genai-types.js';
import { Event, type EventFields } from '../../events/event.js';
import { type LoggedSession, push, sessionOf } from '../../log/session-log.fixture.js';
import { readAnswers } from './read-answers.js';

const ANSWERER = { answering: { principal: toPrincipal('ada', 'by'), isStated: true }, at: 0 };

describe('the keys that a store consumes with an answer', () => {
  it('are that of the call for its final result, and none for an interim one', () => {
    const session = sessionOf(...printing('a'));

    expect(consumedBy(session, result({ willContinue: true }))).toEqual([]);
    expect(consumedBy(session, result())).toEqual(['call-a/1']);
  });

  it('differ for calls with one id in two turns', () => {
    const session = sessionOf(...printing('a'), by('user', [result()]), ...printing('b'));

    expect(consumedBy(session, result())).toEqual(['call-b/1']);
  });

  it('differ for results that a rewind undid', () => {
    const session = sessionOf(...printing('a'), by('user', [result()], { invocationId: 'e-2' }));
    const undo = { actions: { rewindBeforeInvocationId: 'e-2' }, invocationId: 'e-3' };

    push(session, by('user', [], undo));

    expect(consumedBy(session, result())).toEqual(['call-a/1~1']);
  });
});

/** A call of a long-running tool, the second call of its event, and its handle. */
function printing(id: string): Event[] {
  const calls = [
    { functionCall: { id: `look-${id}`, name: 'look' } },
    { functionCall: { id: 'c1', name: 'print' } },
  ];
  const handle = [result({ willContinue: true })];
  return [by('clerk', calls, { id: `call-${id}` }), by('clerk', handle, { longRunningToolIds: ['c1'] })];
}

function result(fields: { willContinue?: boolean } = {}): Part {
  return { functionResponse: { id: 'c1', name: 'print', response: { at: 1 }, ...fields } };
}

function by(author: string, parts: Part[], body: Partial<EventFields> = {}): Event {
  return new Event({ invocationId: 'e-1', author, content: { role: 'user', parts }, ...body });
}

function consumedBy(session: LoggedSession, part: Part): readonly string[] {
  return readAnswers(session, { role: 'user', parts: [part] }, ANSWERER).consumes;
}
