import fc from 'fast-check';

import { fillArguments } from './fill-arguments.js';
import { offeredTools } from './offered-tool.js';
import { SaidText } from './said-text.js';

const text = fc
  .array(
    fc.oneof(fc.constantFrom('"', '“', '”', ' ', '¦', '€', ':', '12', 'W12', 'order', 'Mara'), fc.string()),
  )
  .map((pieces) => pieces.join(''));

/** Patterns that match nothing, their own gap, or what they have left behind. */
const pattern = fc.constantFrom(/["“„][^"”“]+["”“]/u, /x*/u, /(?<taken>\d*)5/u, /¦/u, / /u, /\b/u, /(?=a)/u);

const schema = fc.oneof(
  fc.constantFrom('string', 'integer', 'number', 'boolean').map((type) => ({ type })),
  fc
    .constantFrom('\\d*', '[0-9]*', '^W\\d+$', '(\\d+)+x', '(\\d|)', '1?')
    .map((of) => ({ type: 'string', pattern: of })),
  fc.constantFrom('such as "W12"', '"1"', '""').map((description) => ({ type: 'string', description })),
  fc.constant({ type: 'string', enum: ['order', 'Mara', ''] }),
);

describe('SaidText', () => {
  it('gives each piece of the text once, whatever is taken', () => {
    fc.assert(
      fc.property(text, fc.array(pattern), (said, patterns) => {
        const rest = new SaidText(said);
        const taken = patterns.flatMap((one) => rest.takeAll(one));

        expect([...taken, ...rest.left].join('').length).toBe(said.length);
        expect(taken).not.toContain('');
      }),
    );
  });

  it('takes a group alone, and no match reaches over a gap', () => {
    const said = new SaidText('the "red" and the "blue" of 5 euros');

    expect(said.takeAll(/["][^"]+["]/)).toEqual(['"red"', '"blue"']);
    expect(said.take(/(?<taken>\d) euros/)).toBe('5');
    expect(said.take(/and.*euros/)).toBeUndefined();
    expect(said.left).toEqual(['the ', ' and the ', ' of ', ' euros']);
  });

  it('ends the search for arguments, whatever is said and whatever a tool takes', () => {
    fc.assert(
      fc.property(text, fc.array(schema, { maxLength: 3 }), fc.boolean(), (said, schemas, isList) => {
        const named = schemas.map((one, index): [string, object] => [
          `p${String(index)}`,
          isList ? { type: 'array', items: one } : one,
        ]);
        const parametersJsonSchema = {
          type: 'object',
          properties: Object.fromEntries(named),
          required: named.map(([name]) => name),
        };
        const declaration = { name: 'order', parametersJsonSchema };
        const [tool] = offeredTools({
          config: { tools: [{ functionDeclarations: [declaration] }] },
        } as never);

        expect(fillArguments(tool!, { request: [said, said], earlier: [said] }).args).toEqual(
          expect.anything(),
        );
      }),
    );
  });
});
