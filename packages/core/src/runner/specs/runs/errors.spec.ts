import type { AdornError } from '@adorn/schema';
import { Event, type EventBody } from '../../../events/event.js';
import type { PendingRequest } from '../../../events/pending-request.js';
import {
  AnswerInvalidError,
  AnswerMisdirectedError,
  InvocationActiveError,
  InvocationNotFoundError,
  NothingToExplainError,
  NothingToResumeError,
  OutputInvalidError,
  RunFailedError,
  RunnerClosedError,
  RunPausedError,
} from '../../errors.js';

const SESSION = { appName: 'clerk', userId: 'ada', sessionId: 's1', invocationId: 'e-1' };
const WAITING: PendingRequest = {
  ...SESSION,
  ...{ kind: 'confirmation', id: 'r1', functionCallId: 'c1', tool: 'pay', args: {} },
};

describe('an error of a runner says what to do', () => {
  it.each<[string, AdornError, string]>([
    [
      'ANSWER_INVALID',
      new AnswerInvalidError('r1', '{ confirmed: true }'),
      'The answer to "r1" is not valid. Send a function response with { confirmed: true }; the request stays pending.',
    ],
    [
      'ANSWER_INVALID',
      new AnswerMisdirectedError(WAITING, 'it is a confirmation', 'Use runner.approve'),
      'The confirmation of pay cannot be answered this way: it is a confirmation. Use runner.approve; the request stays ' +
        'pending.',
    ],
    [
      'INVOCATION_ACTIVE',
      new InvocationActiveError('e-1'),
      'The invocation "e-1" is active. Omit invocationId, or wait until runner.isActive returns false.',
    ],
    [
      'INVOCATION_ACTIVE',
      InvocationActiveError.inSession('e-1'),
      'The invocation "e-1" is active. A session runs one invocation at a time. Wait until it has ended, call ' +
        "runner.cancel, or set whileActive: 'queue'.",
    ],
    [
      'INVOCATION_ACTIVE',
      InvocationActiveError.elsewhere('e-1', 500),
      'The invocation "e-1" is active. It runs in another process, and a session runs one invocation at a time. Wait ' +
        "until it has ended, or has been silent for 500 ms (takeOverAfter), or set whileActive: 'queue'.",
    ],
    [
      'INVOCATION_ACTIVE',
      InvocationActiveError.ofItself('e-1'),
      'The invocation "e-1" is active. A nested run in the same session would wait for itself. Use another sessionId ' +
        'for the nested run.',
    ],
    [
      'INVOCATION_NOT_FOUND',
      new InvocationNotFoundError('e-1', 's1'),
      'No event of the session "s1" has the invocationId "e-1". Pass the invocationId of one of its events.',
    ],
    [
      'NOTHING_TO_RESUME',
      NothingToResumeError.inSession('s1'),
      'The last run of the session "s1" has ended, or waits for an answer. Send a message with runner.run, or answer ' +
        'what runner.pending lists.',
    ],
    [
      'NOTHING_TO_RESUME',
      NothingToResumeError.ofRun('e-1', 'e-2'),
      'The run "e-1" is not the last one of its session, which is "e-2". Only the last run can be continued: omit ' +
        'invocationId, or send a message with runner.run.',
    ],
    [
      'OUTPUT_INVALID',
      new OutputInvalidError('clerk', 'is not JSON', 'Oslo!'),
      'The answer of agent "clerk" is not JSON. It has an outputSchema; the answer was: Oslo!. Ask again, or read ' +
        '`text` of the run.',
    ],
    [
      'RUN_FAILED',
      new RunFailedError(event({ errorCode: 'SAFETY' })),
      'The run ended without an answer: SAFETY. See the events of the run.',
    ],
    [
      'RUN_FAILED',
      new RunFailedError(event({ errorCode: 'SAFETY', errorMessage: 'Blocked. No.' })),
      'The run ended without an answer: SAFETY, Blocked. No. See the events of the run.',
    ],
    [
      'RUN_PAUSED',
      new RunPausedError('s1', [WAITING, { ...WAITING, kind: 'result', tool: 'print' }]),
      'The run waits for an answer: confirmation of pay, result of print. Answer the requests in the error\'s "pending" ' +
        'with runner.approve, runner.reject or runner.supply.',
    ],
    ['RUNNER_CLOSED', new RunnerClosedError(), 'The runner is closed. Create another one with createRunner.'],
    [
      'NOTHING_TO_EXPLAIN',
      new NothingToExplainError('pay', []),
      'The tool "pay" would run before a model is called. Finish the conversation\'s open calls first, or explain in ' +
        'another session.',
    ],
  ])('%s: %#', (code, error, message) => {
    expect([error.code, error.message]).toEqual([code, message]);
  });

  it.each<[string, Event[]]>([
    ['without an event', []],
    ['with SAFETY (No.)', [event({ errorCode: 'SAFETY', errorMessage: 'No.' })]],
    ['with SAFETY', [event({ errorCode: 'SAFETY' })]],
    ['with the answer of clerk', [event({ errorCode: 'SAFETY' }), event({})]],
    ['with a request for result', [handles('c1')]],
    ['with a request for result and result', [event({}), handles('c1', 'c2')]],
  ])('of a run that reaches no model and ends %s', (end, events) => {
    expect(new NothingToExplainError(undefined, events).message).toBe(
      `The message reaches no model: the run ends ${end}. Explain a message that a model would answer.`,
    );
  });

  it('with the first 200 characters of an answer, and all of it in its text', () => {
    const whole = 'x'.repeat(200);

    expect(new OutputInvalidError('clerk', 'is not JSON', whole).message).toContain(`: ${whole}. Ask`);
    const cut = new OutputInvalidError('clerk', 'is not JSON', `${whole}y`);
    expect(cut.message).toContain(`: ${whole}…. Ask`);
    expect(cut.text).toBe(`${whole}y`);
  });

  it('with the name of a tool as a model may have made it up, in part', () => {
    const { message } = new NothingToExplainError('x'.repeat(5_000), []);

    expect(message.length).toBeLessThan(500);
  });
});

function event(fields: Partial<EventBody>): Event {
  return new Event({ author: 'clerk', invocationId: 'e-1', ...fields });
}

function handles(...ids: string[]): Event {
  const parts = ids.map((id) => ({ functionResponse: { id, name: 'pay', willContinue: true } }));
  return event({ content: { role: 'user', parts }, longRunningToolIds: ids });
}
