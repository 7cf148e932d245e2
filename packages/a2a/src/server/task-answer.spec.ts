import type { PendingRequest, Runner } from '@adorn/core';
import { toPrincipal } from '@adorn/core/backend';
import type { Message } from '@a2a-js/sdk';

import { dataPart, textPart } from '../protocol/parts.js';
import { answerIn, type Asked } from './task-answer.js';

describe('the answer of a peer to a task that waits', () => {
  it.each<[string, unknown, unknown]>([
    ['its text', 'M', 'M'],
    ['its data', { size: 'M' }, { size: 'M' }],
    ['data that is a list', ['M'], ['M']],
    ['the value of data that names the request', { requestId: 'input', value: 7 }, 7],
    ['a value that is null', { requestId: 'input', value: null }, null],
  ])('supplies an input with %s', async (_, said, value) => {
    const { calls } = await answered(said, ['input']);

    expect(calls).toEqual([['supply', 'input', value]]);
  });

  it('supplies the text beside data that only names the request', async () => {
    const message = messageOf([dataPart({ requestId: 'input' }), textPart('M')]);
    const { calls } = await answered(message, ['input']);

    expect(calls).toEqual([['supply', 'input', 'M']]);
  });

  it('is for an input before all else, unless it names another request', async () => {
    const open = ['confirmation', 'input', 'result'] as const;
    const approve = () => true;

    expect((await answered('M', open)).calls).toEqual([['supply', 'input', 'M']]);
    expect((await answered({ requestId: 'result', value: 1 }, open, approve)).calls).toEqual([
      ['supply', 'result', 1],
    ]);
    await expect(answered({ requestId: 'other' }, open)).rejects.toThrow(
      'requestId is not that of an open request of the task.',
    );
    await expect(answered('M', [])).rejects.toThrow('requestId is not that of an open request');
  });

  it.each<[boolean, string]>([
    [true, 'approve'],
    [false, 'reject'],
  ])('confirms with %s for a principal that the policy names', async (confirmed, method) => {
    const asked: unknown[] = [];
    const { calls } = await answered({ confirmed }, ['confirmation'], (request, principal) => {
      asked.push([request.id, principal]);
      return Promise.resolve(true);
    });

    expect([calls, asked]).toEqual([[[method, 'confirmation']], [['confirmation', 'ada']]]);
  });

  it.each([undefined, 'yes', 1, 'true', null])('confirms nothing with %j', async (confirmed) => {
    await expect(answered({ confirmed }, ['confirmation'], () => true)).rejects.toThrow(
      'Answer with a data part { "requestId", "confirmed": true or false }.',
    );
    await expect(answered('yes', ['confirmation'], () => true)).rejects.toThrow('Answer with a data part');
  });

  it.each<[PendingRequest['kind'], Asked['approve'], string]>([
    ['confirmation', undefined, 'the approval of an operator, which a peer cannot give'],
    ['confirmation', () => false, 'the approval of an operator, which a peer cannot give'],
    ['confirmation', () => 'true', 'the approval of an operator, which a peer cannot give'],
    ['confirmation', () => Promise.resolve(1), 'the approval of an operator, which a peer cannot give'],
    ['result', undefined, 'the result of a tool, which a peer cannot supply'],
    ['credential', undefined, 'a credential, which no message can carry'],
    ['credential', () => true, 'a credential, which no message can carry'],
  ])('is refused for a %s if the policy is %p', async (kind, approve, reason) => {
    for (const said of ['secret', { requestId: kind, value: 'secret', confirmed: true }])
      await expect(answered(said, [kind], approve)).rejects.toThrow(reason);
  });
});

/** The calls of the runner that the answer leads to. */
async function answered(
  said: unknown,
  kinds: readonly PendingRequest['kind'][],
  approve?: Asked['approve'],
): Promise<{ readonly calls: unknown[] }> {
  const calls: unknown[] = [];
  const noting =
    (method: string) =>
    ({ id }: PendingRequest, ...given: unknown[]): void => {
      expect(given.pop()).toBe(OPTIONS);
      calls.push([method, id, ...given]);
    };
  const runner: unknown = {
    supply: noting('supply'),
    approve: noting('approve'),
    reject: noting('reject'),
  };
  const open = kinds.map((kind) => ({ id: kind, kind })) as unknown as PendingRequest[];
  const isMessage = typeof said === 'object' && said !== null && 'messageId' in said;
  const message = isMessage
    ? (said as Message)
    : messageOf([typeof said === 'string' ? textPart(said) : dataPart(said)]);
  const asked = { runner: runner as Runner<unknown>, open, by: toPrincipal('ada', 'by'), approve };
  void (await answerIn(message, asked))(OPTIONS);
  return { calls };
}

const OPTIONS = { by: 'ada' };

function messageOf(parts: Message['parts']): Message {
  return { messageId: 'm1', parts } as unknown as Message;
}
