import type { OpenCall } from '../log/pending-call-index.js';
import type { PendingRequestData } from '../events/pending-request.js';
import { Cancellation } from '../run/cancellation.js';
import type { Confirmation } from '../tools/tool-requests.js';
import { Tool } from '../tools/tool.js';
import { type CallParts, toolCall, toolNamed } from './tool-call.fixture.js';
import { definitionDigest, type ToolCall } from './tool-call.js';
import { ConfirmationGate } from './confirmation.gate.js';

describe('the confirmation gate', () => {
  it('opens at once for a tool that asks nothing', async () => {
    expect(await enter(await toolCall(toolNamed('pay')))).toBe('open');
  });

  it('holds a call with its question, its arguments and the digest of its tool', async () => {
    const tool = toolNamed('pay', { confirm: 'Pay?' });

    expect(await enter(await toolCall(tool, { args: { cents: 5 } }))).toEqual({
      kind: 'paused',
      question: {
        kind: 'confirmation',
        confirmation: { hint: 'Pay?' },
        args: { cents: 5 },
        definition: definitionDigest(tool),
      },
    });
  });

  it('opens for the very call, tool, definition and arguments that were approved', async () => {
    const call = await approved({});

    expect(await enter(call)).toBe('open');
    expect(call.context.confirmation).toEqual({ hint: 'Pay?', confirmed: true });
  });

  it('compares arguments as JSON, whatever the order of their keys', async () => {
    expect(await enter(await approved({ args: { to: 'b', cents: 5 } }))).toBe('open');
  });

  it.each<[string, Partial<PendingRequestData>]>([
    ['of another call', { functionCallId: 'c2' }],
    ['of another tool', { tool: 'harmless' }],
    ['of other arguments', { args: { cents: 6, to: 'b' } }],
    ['of fewer arguments', { args: { cents: 5 } }],
    ['of more arguments', { args: { cents: 5, to: 'b', note: '' } }],
    ['of another definition', { definition: definitionDigest(toolNamed('pay')) }],
    ['of no known definition', { definition: undefined }],
  ])('asks again where the approval is %s, and gives the tool none', async (_what, shown) => {
    const call = await approved({}, shown);

    expect(await enter(call)).toMatchObject({ kind: 'paused', question: { args: { cents: 5, to: 'b' } } });
    expect(call.context.confirmation).toBeUndefined();
  });

  it('asks again where the decision came without the request that was shown', async () => {
    const confirmation = { hint: 'Pay?', confirmed: true };
    const call = await toolCall(PAY, { args: ARGS, answer: { open: OPEN, kind: 'again', confirmation } });

    expect(await enter(call)).toMatchObject({
      kind: 'paused',
      question: { askedAgain: { reason: 'NOT_ON_RECORD' } },
    });
  });

  it('settles a call that was refused, with the reason where there is one', async () => {
    const refused = { open: OPEN, kind: 'again', confirmation: { hint: '', confirmed: false } } as const;

    expect(await enter(await toolCall(PAY, { args: ARGS, answer: refused }))).toEqual({
      kind: 'refused',
      response: { error: 'tool call was rejected by the user' },
    });
    expect(
      await enter(await toolCall(PAY, { args: ARGS, answer: { ...refused, reason: 'too much' } })),
    ).toEqual({
      kind: 'refused',
      response: { error: 'tool call was rejected', reason: 'too much' },
    });
  });

  it('gives a call the approved arguments if beforeTool had changed them, and has them checked', async () => {
    const callbacks = { beforeTool: () => Promise.resolve() };
    const call = await approved({ callbacks }, { args: { cents: 7 } });

    expect(await enter(call)).toBe('again');
    expect([call.args, call.isIntercepted]).toEqual([{ cents: 7 }, true]);
    expect(await enter(call)).toBe('open');
  });

  it('has beforeTool asked before it asks about a call whose approval is void', async () => {
    const callbacks = { beforeTool: () => Promise.resolve() };
    const call = await approved({ callbacks }, { args: {}, definition: 'sha256:earlier' });

    expect(await enter(call)).toBe('intercept');

    call.isIntercepted = true;
    expect(await enter(call)).toMatchObject({ kind: 'paused' });
  });

  it('keeps the arguments of the model where no beforeTool could have changed them', async () => {
    const call = await approved({}, { args: { cents: 7 } });

    expect(await enter(call)).toMatchObject({ kind: 'paused', question: { args: ARGS } });
  });

  it('asks a call that nobody approved without waiting for beforeTool', async () => {
    const callbacks = { beforeTool: () => Promise.resolve() };

    expect(await enter(await toolCall(PAY, { args: ARGS, callbacks }))).toMatchObject({ kind: 'paused' });
  });

  it('keeps what is shown, whatever is done to the arguments and the payload afterwards', async () => {
    const payload = { limits: { max: 3 } };
    const tool = toolNamed('pay', { confirm: () => ({ hint: 'Pay?', payload }) });
    const args = { order: { cents: 1 } };
    const verdict = await enter(await toolCall(tool, { args }));

    args.order.cents = 1_000_000;
    payload.limits.max = 1_000_000;

    expect(verdict).toMatchObject({
      question: {
        args: { order: { cents: 1 } },
        confirmation: { hint: 'Pay?', payload: { limits: { max: 3 } } },
      },
    });
  });

  it.each<[string, unknown]>([
    ['nothing that it could read', null],
    ['a question without a hint', {}],
    ['false', false],
    ['true', true],
    ['a text', 'yes'],
  ])('holds a call where a tool of its own kind asks with %s', async (_what, asked) => {
    expect(await enter(await toolCall(new Asking(asked)))).toMatchObject({
      kind: 'paused',
      question: { confirmation: { hint: 'Approve execution of tool `odd`?' } },
    });
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('no ledger');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no ledger'))],
  ])('is closed where a predicate %s', async (_how, confirm) => {
    const call = await toolCall(toolNamed('pay', { confirm }));

    await expect((async () => enter(call))()).rejects.toThrow('no ledger');
  });

  it('is closed where a payload is not JSON', async () => {
    const call = await toolCall(toolNamed('pay', { confirm: () => ({ hint: 'Pay?', payload: 1n }) }));

    await expect(enter(call)).rejects.toMatchObject({ code: 'RESULT_NOT_JSON' });
  });

  it('is closed where a predicate does not answer in time', async () => {
    const confirm = () => new Promise<never>(() => undefined);
    const call = await toolCall(toolNamed('pay', { confirm, checkTimeout: 1 }));

    await expect(enter(call)).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message:
        'The confirmation of the tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
    });
  });

  it('is closed where the invocation is cancelled while a predicate is waited for', async () => {
    const cancellation = new Cancellation();
    const call = await toolCall(toolNamed('pay', { confirm: () => new Promise<never>(() => undefined) }), {
      cancellation,
    });
    const entered = enter(call);

    cancellation.cancel();

    await expect(entered).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('the definition that an approval covers', () => {
  it.each<[string, Parameters<typeof toolNamed>[1]]>([
    ['description', { description: 'Wipes the disk.' }],
    ['parameters', { parameters: { type: 'object', properties: { all: { type: 'boolean' } } } }],
    ['effect', { effect: 'destructive' }],
    ['fixed question', { confirm: 'Wipe the database?' }],
  ])('is another with another %s', (_part, fields) => {
    const tool = { description: 'Counts.', confirm: 'Count?' };

    expect(definitionDigest(toolNamed('t', { ...tool, ...fields }))).not.toBe(
      definitionDigest(toolNamed('t', tool)),
    );
  });

  it('is another with another name', () => {
    expect(definitionDigest(toolNamed('a'))).not.toBe(definitionDigest(toolNamed('b')));
  });

  it('is the same in another process, and whatever the order of keys', () => {
    const one = toolNamed('t', { parameters: { type: 'object', properties: { a: {}, b: {} } } });
    const other = toolNamed('t', { parameters: { properties: { b: {}, a: {} }, type: 'object' } });

    expect(definitionDigest(other)).toBe(definitionDigest(one));
    expect(definitionDigest(one)).toBe('sha256:WJ3YRgw6FCZeyKW9ROhGAHXdPM2BVX3UoWkRWn_PDlg');
  });
});

const PAY = toolNamed('pay', { description: 'Pays.', confirm: 'Pay?' });
const ARGS = { cents: 5, to: 'b' };
const OPEN = { call: { id: 'c1' }, event: { invocationId: 'e-0' } } as OpenCall;

/** A call of `PAY` with an approval, which differs from the call where it is told to. */
function approved(parts: CallParts, shown: Partial<PendingRequestData> = {}): Promise<ToolCall> {
  const request: PendingRequestData = {
    kind: 'confirmation',
    id: 'adk-1',
    functionCallId: 'c1',
    tool: 'pay',
    args: ARGS,
    definition: definitionDigest(PAY),
    ...shown,
  };
  const confirmation = { hint: 'Pay?', confirmed: true };
  return toolCall(PAY, {
    args: ARGS,
    answer: { open: OPEN, kind: 'again', confirmation, shown: request },
    ...parts,
  });
}

function enter(call: ToolCall) {
  return new ConfirmationGate().enter(call);
}

/** A tool that asks in a way of its own, which may be a wrong one. */
class Asking extends Tool {
  readonly name = 'odd';
  readonly description = '';

  constructor(private readonly asked: unknown) {
    super();
  }

  declaration() {
    return { name: 'odd' };
  }

  run(): string {
    return 'done';
  }

  override confirmation(): Confirmation | undefined {
    return this.asked as Confirmation | undefined;
  }
}
