import { Cancellation } from '../run/cancellation.js';
import type { ConfirmationProvider } from '../run/confirmation-provider.js';
import { providerDecision } from './confirmation.gate.js';
import { shownOf } from './tool-call.js';
import { toolCall, toolNamed } from './tool-call.fixture.js';

describe('the decision of a provider', () => {
  it.each([{ confirmed: true }, { confirmed: true, payload: 1 }, { confirmed: false, reason: 'no' }])(
    'is what it says: %j',
    async (decision) => {
      expect(await decide(() => decision)).toBe(decision);
    },
  );

  it.each([undefined, null])('is none where it says %p: the run pauses', async (decision) => {
    expect(await decide(() => decision)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [true, 'a boolean'],
    ['yes', 'a text'],
    [{}, 'an object'],
    [[true], 'a list'],
    [{ confirmed: 'true' }, 'an object'],
    [{ confirmed: 1 }, 'an object'],
    [{ confirmed: null }, 'an object'],
  ])('is refused where it is %j, which says neither yes nor no', async (decision, kind) => {
    await expect(decide(() => decision)).rejects.toMatchObject({
      code: 'TOOL_DECISION_INVALID',
      message:
        `The ConfirmationProvider returned ${kind} without a boolean "confirmed". Return { confirmed: true } or ` +
        '{ confirmed: false, reason }, or undefined to pause the run.',
    });
  });

  it('is not waited for once the invocation is cancelled', async () => {
    const cancellation = new Cancellation();
    const decided = decide(() => new Promise(() => undefined), cancellation);
    setImmediate(() => {
      cancellation.cancel();
    });

    await expect(decided).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is asked for the very arguments, with the question and its data', async () => {
    const asked: unknown[] = [];
    await decide((request) => void asked.push(request));

    expect(asked).toEqual([
      { functionCallId: 'c1', tool: 'pay', args: { cents: 5 }, hint: 'Pay?', payload: { max: 9 } },
    ]);
  });
});

async function decide(answer: (request: unknown) => unknown, cancellation = new Cancellation()) {
  const call = await toolCall(toolNamed('pay'), { args: { cents: 5 }, cancellation });
  const provider = { decide: answer } as unknown as ConfirmationProvider;
  const confirmation = { hint: 'Pay?', payload: { max: 9 } };
  return providerDecision(
    call,
    { kind: 'confirmation', confirmation, askedAgain: undefined, ...shownOf(call) },
    provider,
  );
}
