import type { AdornError } from '../errors/adorn.error.js';
import { Event } from '../events/event.js';
import type { PendingRequest } from '../events/pending-request.js';
import {
  InvocationActiveError,
  NothingToExplainError,
  NothingToResumeError,
  OutputInvalidError,
  RunFailedError,
  RunnerClosedError,
  RunPausedError,
} from './errors.js';

const SESSION = { appName: 'clerk', userId: 'ada', sessionId: 's1', invocationId: 'e-1' };
const WAITING: PendingRequest = {
  ...SESSION,
  ...{ kind: 'confirmation', id: 'r1', functionCallId: 'c1', tool: 'pay', args: {} },
};
const ASIDE = 'Explain a message that a model would answer.';

describe('an error of a runner says what to do', () => {
  it.each<[string, AdornError, string]>([
    [
      'under an id that is in use',
      new InvocationActiveError('e-1'),
      'The invocation "e-1" is active. Omit invocationId, or wait until runner.isActive returns false.',
    ],
    [
      'in a session that is in use by the run that began it',
      InvocationActiveError.ofItself('e-1'),
      'The invocation "e-1" is active. A nested run in the same session would wait for itself. Use another sessionId ' +
        'for the nested run.',
    ],
    [
      'where there is nothing to resume',
      NothingToResumeError.inSession('s1'),
      'The last run of the session "s1" has ended, or waits for an answer. Send a message with runner.run, or answer ' +
        'what runner.pending lists.',
    ],
    [
      'where another run is the last one',
      NothingToResumeError.ofRun('e-1', 'e-2'),
      'The run "e-1" is not the last one of its session, which is "e-2". Only the last run can be continued: omit ' +
        'invocationId, or send a message with runner.run.',
    ],
    [
      'of an output that does not fit',
      new OutputInvalidError('clerk', 'is not JSON', 'Oslo!'),
      'The answer of agent "clerk" is not JSON. It has an outputSchema; the answer was: Oslo!. Ask again, or read ' +
        '`text` of the run.',
    ],
    [
      'of a run that failed',
      new RunFailedError(event({ errorCode: 'SAFETY' })),
      'The run ended without an answer: SAFETY. See the events of the run.',
    ],
    [
      'of a run that failed for a reason',
      new RunFailedError(event({ errorCode: 'SAFETY', errorMessage: 'Blocked. No.' })),
      'The run ended without an answer: SAFETY, Blocked. No. See the events of the run.',
    ],
    [
      'of a run that waits',
      new RunPausedError('s1', [WAITING, { ...WAITING, kind: 'result', tool: 'print' }]),
      'The run waits for an answer: confirmation of pay, result of print. Answer the requests in the error\'s "pending" ' +
        'with runner.approve, runner.reject or runner.supply.',
    ],
    [
      'of a runner that was closed',
      new RunnerClosedError(),
      'The runner is closed. Create another one with createRunner.',
    ],
    [
      'of a call that would run before a model',
      new NothingToExplainError('pay', []),
      'The tool "pay" would run before a model is called. Finish the conversation\'s open calls first, or explain in ' +
        'another session.',
    ],
    [
      'of a run that makes no event',
      new NothingToExplainError(undefined, []),
      `The message reaches no model: the run ends without an event. ${ASIDE}`,
    ],
    [
      'of a run that fails before a model',
      new NothingToExplainError(undefined, [event({ errorCode: 'SAFETY', errorMessage: 'No.' })]),
      `The message reaches no model: the run ends with SAFETY (No.). ${ASIDE}`,
    ],
    [
      'of a run that fails before a model without a reason',
      new NothingToExplainError(undefined, [event({ errorCode: 'SAFETY' })]),
      `The message reaches no model: the run ends with SAFETY. ${ASIDE}`,
    ],
    [
      'of a run that somebody else answers',
      new NothingToExplainError(undefined, [event({ errorCode: 'SAFETY' }), event({})]),
      `The message reaches no model: the run ends with the answer of clerk. ${ASIDE}`,
    ],
  ])('%s', (_where, error, message) => {
    expect(error.message).toBe(message);
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

function event(fields: { readonly errorCode?: string; readonly errorMessage?: string }): Event {
  return new Event({ author: 'clerk', invocationId: 'e-1', ...fields });
}
