import type { PendingRequest } from '../../events/pending-request.js';
import { type AnswerOptions, type ApproveOptions, decisionInput, supplyInput } from './answer-input.js';
import type { MessageInput } from '../begin/run-input.js';

const confirmation: PendingRequest = {
  ...{ kind: 'confirmation', id: 'r1', functionCallId: 'c1', tool: 'pay', args: {} },
  ...{ appName: 'clerk', userId: 'ada', sessionId: 's1', invocationId: 'e-1' },
};

const credential: PendingRequest = { ...confirmation, kind: 'credential' };
const input: PendingRequest = { ...confirmation, kind: 'input' };
const result: PendingRequest = { ...confirmation, kind: 'result' };

describe('the message of an answer', () => {
  it('is addressed to the session of its request, and says who answered', () => {
    const { signal } = new AbortController();
    const said = { by: 'bob', channel: 'web', remember: 'session', invocationId: 'e-2' } as const;
    const options: ApproveOptions = { ...said, config: { maxLlmCalls: 1 }, signal };

    expect(decisionInput('approve', confirmation, options).input).toEqual({
      ...{ userId: 'ada', sessionId: 's1', ...said, config: { maxLlmCalls: 1 }, signal },
      message: messageOf({ id: 'r1', name: 'adk_request_confirmation', response: { confirmed: true } }),
    });
  });

  it.each<[string, PendingRequest, unknown, object]>([
    [
      'a credential under credential',
      credential,
      'key',
      { name: 'adk_request_credential', response: { credential: 'key' } },
    ],
    [
      'an input under result',
      input,
      { city: 'Oslo' },
      { name: 'adk_request_input', response: { result: { city: 'Oslo' } } },
    ],
    ['a result as it is', result, { status: 'sent' }, { name: 'pay', response: { status: 'sent' } }],
    ['a text as a result', result, 'sent', { name: 'pay', response: { result: 'sent' } }],
    ['a list as a result', result, ['sent'], { name: 'pay', response: { result: ['sent'] } }],
    ['null as a result', result, null, { name: 'pay', response: { result: null } }],
  ])('holds %s', (_what, request, value, response) => {
    expect(supplyInput(request, value, {}).input.message).toStrictEqual(messageOf({ id: 'r1', ...response }));
  });

  it.each([true, false])('says whether a result is an interim one: %s', (willContinue) => {
    const { message } = supplyInput(result, { status: 'half' }, { willContinue }).input;

    expect(message).toEqual(messageOf({ id: 'r1', name: 'pay', response: { status: 'half' }, willContinue }));
  });

  it('may be that of an input which is said not to be an interim one', () => {
    expect(() => supplyInput(input, 'Oslo', { willContinue: false })).not.toThrow();
  });

  it('may be an approval that a running tool asked for, if it is not to be remembered', () => {
    expect(() => decisionInput('approve', { ...confirmation, askedBy: 'tool' }, {})).not.toThrow();
  });
});

describe('the arguments of an approval', () => {
  const shown = { ...confirmation, args: { cents: 500 } };

  it('are given with the request as copies', () => {
    const args = { cents: 300 };
    const { given } = decisionInput('approve', shown, { args });

    args.cents = 9_000;

    expect(given).toEqual({ request: shown, args: { cents: 300 } });
  });

  it('are left out if they are those that were shown', () => {
    expect(decisionInput('approve', shown, { args: { cents: 500 } }).given?.args).toBeUndefined();
  });

  it.each<[string, unknown, PendingRequest, object]>([
    ['a list', [1], shown, { code: 'ANSWER_INVALID' }],
    ['not JSON', { at: () => 1 }, shown, { code: 'RESULT_NOT_JSON' }],
    ['for a call that has begun', { cents: 1 }, { ...shown, askedBy: 'tool' }, { code: 'ANSWER_INVALID' }],
  ])('are refused if they are %s', (_what, args, request, error) => {
    expect(() => decisionInput('approve', request, { args: args as object })).toThrow(
      expect.objectContaining(error) as Error,
    );
  });
});

describe('an answer by the wrong method', () => {
  it.each<[string, () => MessageInput, string]>([
    [
      'approves a credential',
      () => decisionInput('approve', credential, {}),
      'The credential of pay cannot be answered this way: it is not a confirmation. Use runner.supply',
    ],
    [
      'supplies a confirmation',
      () => supplyInput(confirmation, true, {}),
      'The confirmation of pay cannot be answered this way: it is a confirmation. Use runner.approve or runner.reject',
    ],
    [
      'supplies an interim credential',
      () => supplyInput(credential, 'key', { willContinue: true }),
      'The credential of pay cannot be answered this way: only a result can be interim. Leave willContinue out',
    ],
    [
      'remembers an approval that a running tool asked for',
      () => decisionInput('approve', { ...confirmation, askedBy: 'tool' }, { remember: 'session' }),
      'The confirmation of pay cannot be answered this way: the tool asked while it ran, so the approval is for this ' +
        'call only. Leave remember out',
    ],
    [
      'has no session',
      () => supplyInput({ ...result, sessionId: undefined as never }, {}, {}),
      'The result of pay cannot be answered this way: it has no session. Take the request from runner.pending',
    ],
  ])('is refused, and what to do is said, if it %s', (_what, answer, words) => {
    expect(answer).toThrow(
      expect.objectContaining({
        code: 'ANSWER_INVALID',
        message: `${words}; the request stays pending.`,
      }) as Error,
    );
  });

  it.each<[string, (options: AnswerOptions) => MessageInput]>([
    ['approve', (options) => decisionInput('approve', confirmation, options)],
    ['reject', (options) => decisionInput('reject', confirmation, options)],
    ['supply', (options) => supplyInput(result, {}, options)],
  ])('is not what has an option that runner.%s does not have', (method, answer) => {
    const valid = {
      approve: 'by, channel, invocationId, config, signal, payload, args, remember',
      reject: 'by, channel, invocationId, config, signal, reason',
      supply: 'by, channel, invocationId, config, signal, willContinue',
    }[method];

    expect(() => answer({ recipient: 'bob' } as AnswerOptions)).toThrow(
      expect.objectContaining({
        code: 'RUN_CONFIG_INVALID',
        message: `runner.${method}: there is no option recipient. Valid: ${valid as string}.`,
      }) as Error,
    );
    for (const name of (valid as string).split(', '))
      expect(() => answer({ [name]: undefined })).not.toThrow();
  });
});

function messageOf(functionResponse: object) {
  return { role: 'user', parts: [{ functionResponse }] };
}

describe('a value that is no request', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'undefined'],
    ['r1', '"r1"'],
    [7, 'a number'],
    [{ id: 'r1' }, 'an object'],
  ])('is refused with what to pass: %j', (value, found) => {
    const request = value as PendingRequest;
    for (const answer of [
      () => decisionInput('approve', request, {}),
      () => decisionInput('reject', request, {}),
      () => supplyInput(request, 'key', {}),
    ]) {
      const fault = faultOf(answer);
      expect(fault).toMatchObject({ code: 'ANSWER_INVALID' });
      expect(String(fault)).toContain(`: ${found} is not a request. Pass an element of runner.pending(`);
    }
  });
});

function faultOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
