import { FunctionTool, type FunctionToolFields } from './function.tool.js';
import type { ToolContext } from './tool-context.js';

describe('FunctionTool', () => {
  it('declares an object without any property where no schema was given', () => {
    expect(toolOf({}).declaration()).toEqual({
      name: 'refund',
      description: 'Refund an order.',
      parametersJsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    });
  });

  it('gives its function the context, and arguments of its own to change', async () => {
    const args = { order: { lines: [1] } };
    const refund = toolOf({
      run: (given, itsContext) => {
        (given as typeof args).order.lines.push(2);
        return [given, itsContext];
      },
    });

    expect(await refund.run(args, context)).toEqual([{ order: { lines: [1, 2] } }, context]);
    expect(args).toEqual({ order: { lines: [1] } });
  });

  it('asks nobody unless told to', async () => {
    expect(await toolOf({}).confirmation({}, context)).toBeUndefined();
    expect(await toolOf({ confirm: false, effect: 'destructive' }).confirmation({}, context)).toBeUndefined();
    expect(await toolOf({ confirm: () => false }).confirmation({}, context)).toBeUndefined();
  });

  it('asks in general words where it is destructive or told no more than to ask', async () => {
    const general = { hint: 'Approve execution of tool `refund`?' };

    expect(await toolOf({ effect: 'destructive' }).confirmation({}, context)).toEqual(general);
    expect(await toolOf({ confirm: true }).confirmation({}, context)).toEqual(general);
    expect(await toolOf({ confirm: () => Promise.resolve(true) }).confirmation({}, context)).toEqual(general);
  });

  it('asks in the words of its hint or its predicate', async () => {
    expect(await toolOf({ confirm: 'Really?' }).confirmation({}, context)).toEqual({ hint: 'Really?' });
    expect(
      await toolOf({
        confirm: ({ cents }) => ({ hint: `Refund ${String(cents)}?`, payload: { cents } }),
      }).confirmation({ cents: 5 }, context),
    ).toEqual({ hint: 'Refund 5?', payload: { cents: 5 } });
  });
});

const context = {} as ToolContext;

function toolOf(fields: Partial<FunctionToolFields>): FunctionTool {
  return new FunctionTool({
    name: 'refund',
    description: 'Refund an order.',
    run: () => undefined,
    ...fields,
  });
}
