import { Cancellation } from '../run/cancellation.js';
import type { Arguments } from '@adorn/schema';
import { FunctionTool } from '../tools/function.tool.js';
import type { FunctionToolFields } from '../tools/function.tool.js';
import type { ToolContext } from '../tools/tool-context.js';
import { Tool } from '../tools/tool.js';
import { type CallParts, toolCall } from './tool-call.fixture.js';
import { ShapeGate } from './shape.gate.js';

describe('the shape gate', () => {
  it('opens at once for arguments that fit, and leaves them as they are', async () => {
    const args = { cents: 5, currency: 'USD' };
    const call = await callOf({ args });

    expect(await new ShapeGate().enter(call)).toBe('open');
    expect(call.args).toBe(args);
  });

  it('puts mended arguments and defaults into the call, and leaves those of the log alone', async () => {
    const args = Object.freeze({ cents: '5' });
    const call = await callOf({ args });

    expect(await new ShapeGate().enter(call)).toBe('open');
    expect(call.args).toEqual({ cents: 5, currency: 'EUR' });
    expect(args).toEqual({ cents: '5' });
  });

  it.each<[string, unknown]>([
    ['a missing argument', {}],
    ['an argument of another type', { cents: 'many' }],
    ['an unknown argument', { cents: 1, to: 'a' }],
    ['a text', 'pay'],
    ['a list', [1]],
    ['null', null],
  ])('is closed for %s, and the arguments stay', async (_what, args) => {
    const call = await callOf({ args: args as Arguments });

    await expect((async () => new ShapeGate().enter(call))()).rejects.toMatchObject({
      code: 'TOOL_ARGUMENTS_INVALID',
    });
    expect(call.args).toBe(args);
  });

  it.each([
    ['the tool', { unknownArguments: 'drop' }, 'refuse'],
    ['the run, where the tool does not say', {}, 'drop'],
  ] as const)('drops unknown arguments where that is the wish of %s', async (_whose, fields, ofRun) => {
    const call = await callOf({ args: { cents: 5, to: 'a' } }, undefined, fields);
    Object.assign(call.invocation.config, { unknownArguments: ofRun });

    expect(await new ShapeGate().enter(call)).toBe('open');
    expect(call.args).toEqual({ cents: 5, currency: 'EUR' });
  });

  it('refuses unknown arguments where the tool does and the run would drop them', async () => {
    const call = await callOf({ args: { cents: 5, to: 'a' } }, undefined, { unknownArguments: 'refuse' });
    Object.assign(call.invocation.config, { unknownArguments: 'drop' });

    await expect(new ShapeGate().enter(call)).rejects.toThrow(/^Invalid arguments for "pay"/);
  });

  it('waits for what the tool validates itself, with the checked arguments', async () => {
    const seen: Arguments[] = [];
    const call = await callOf({ args: { cents: '5' } }, (args) => {
      seen.push(args);
      return Promise.resolve();
    });

    await expect(new ShapeGate().enter(call)).resolves.toBe('open');
    expect(seen).toEqual([{ cents: 5, currency: 'EUR' }]);
  });

  it('opens at once for a tool that validates nothing itself', async () => {
    expect(await new ShapeGate().enter(await toolCall(new Plain()))).toBe('open');
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      'throws',
      () => {
        throw new Error('no such account');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no such account'))],
  ])('is closed where the validation of the tool %s', async (_how, validate) => {
    const call = await callOf({ args: { cents: 5 } }, validate);

    await expect((async () => new ShapeGate().enter(call))()).rejects.toThrow('no such account');
  });

  it('is closed where the validation does not end in time', async () => {
    const call = await callOf({ args: { cents: 5 } }, () => new Promise<never>(() => undefined), {
      checkTimeout: 1,
    });

    await expect(new ShapeGate().enter(call)).rejects.toMatchObject({
      code: 'TOOL_TIMEOUT',
      message:
        'The validation of the tool "pay" did not answer within 1 ms. Try again later, or continue without it.',
    });
  });

  it('is closed where the invocation is cancelled while the validation is waited for', async () => {
    const cancellation = new Cancellation();
    const call = await callOf(
      { args: { cents: 5 }, cancellation },
      () => new Promise<never>(() => undefined),
    );
    const entered = new ShapeGate().enter(call);

    cancellation.cancel();

    await expect(entered).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

type Validate = (args: Arguments, context: ToolContext) => void | Promise<void>;

function callOf(parts: CallParts, validate?: Validate, fields: Partial<FunctionToolFields> = {}) {
  const tool = new FunctionTool({
    name: 'pay',
    description: '',
    parameters: {
      type: 'object',
      properties: { cents: { type: 'integer' }, currency: { type: 'string', default: 'EUR' } },
      required: ['cents'],
      additionalProperties: false,
    },
    ...fields,
    run: () => 'paid',
  });
  return toolCall(validate === undefined ? tool : Object.assign(tool, { validate }), parts);
}

/** A tool with nothing but what every tool must have. */
class Plain extends Tool {
  readonly name = 'plain';
  readonly description = '';

  declaration() {
    return { name: 'plain' };
  }

  run(): string {
    return 'done';
  }
}
