import type { JsonSchema } from '@adorn/core';
import type { DerivedTool } from '@adorn/core/compiler';

import { deriveSource } from '../../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

/** Colour of things. */
enum Color {
  /** Like blood. */
  Red = 'red',
  /** Like the sea. */
  Blue = 'blue',
  Green = 'green',
}
interface Named { /** What it is called. @minLength 2 */ name: string; /** How many. */ count?: number }
interface Renamed extends Named { name: string }
class Thing implements Named { name!: string; /** Its own. */ count?: number }
/**
 * An order.
 * @property id The id of it.
 * @property {number} total The total. @minimum 1
 */
interface Order { id: string; total: number; /** Its own. */ note?: string }
class Made {
  /** @param source Where from. @param size How big. @maximum 3 */
  constructor(readonly source: string, public size = 2) {}
}
interface Shown {
  /** @internal */ one: string;
  /** @hidden */ two: string;
  /** @ignore */ three: string;
  /** @deprecated Use five. */ four: string;
  // No doc comment.
  five: boolean;
}

export class Words {
  /**
   * Does *things* – 日本語 😀.
   *
   * Steps:
   * 1. one
   *    - nested
   *
   * | a | b |
   * |---|---|
   * @remarks Only on Sundays.
   * @param {{ a: string }} a - Typed \`x\`. @example {"a":"b"}
   * @param {string} [b=[1]] Optional one.
   * @param c — a dash; see {@link Words.told | the docs}.
   * @param d: with a colon.
   * @param e.y.z Deep. @minimum 3
   * @param f[].id Id of each.
   * @deprecated Use another.
   * @example {"a":{"a":"1"},"c":"x"}
   * @example
   * \`\`\`ts
   * words.told({ a: 'x' });
   * \`\`\`
   * @returns Nothing.
   */
  @tool told(a: { a: string }, b: string, c: string, d: number, e: { y: { z: number } }, f: { id: string }[]): void {}

  @tool places(a: Color, b: Renamed, c: Thing, d: Order, e: Made, f: Shown): void {}

  /**
   * @param a X. @default none @example about five
   * @example 7
   * @param b Y. @default null
   * @example 42
   * @param c Z. @default Date.now()
   * @example ["a"]
   * @param d @defaultValue 'single'
   * @param e @default {"id":"1"}
   */
  @tool values(a: number, b: string, c: string[], d: string, e: Order): void {}

  /** One line. @param a With \`@param b no\` code. @minLength 1 @returns Nothing. */
  @tool line(a: string): void {}

  /** First. @param a Of the first. */
  over(a: string): void;
  /** Second. @param a Of the second. @param b Of the second, too. */
  over(a: number, b: string): void;
  @tool over(a: string | number, b?: string): void {}
}

export abstract class Parent {
  /** Finds. @param query What for. */
  abstract find(query: string): void;
}
export class Child extends Parent {
  /** {@inheritDoc} */
  @tool find(query: string): void {}
}
`;

describe('the words of a schema', () => {
  const { classes, faults } = deriveSource(SOURCE.replaceAll('\n', '\r\n'));
  const toolOf = (method: string, name = 'Words'): Partial<DerivedTool> => classes[name]?.tools[method] ?? {};
  const propertiesOf = (method: string): unknown => toolOf(method).parametersJsonSchema?.['properties'];
  const definitionsOf = (method: string): Readonly<Record<string, JsonSchema>> =>
    toolOf(method).parametersJsonSchema?.['$defs'] as Readonly<Record<string, JsonSchema>>;

  it('are read without fault', () => {
    expect(faults).toEqual({});
  });

  it('of a tool keep lists and tables, tell what is remarked and returned, and give examples that are calls as calls', () => {
    expect(toolOf('told').description).toBe(
      'Does *things* – 日本語 😀.\n\nSteps:\n1. one\n   - nested\n\n| a | b |\n|---|---|\n\n' +
        "Only on Sundays.\n\nReturns: Nothing.\n\nExample: ```ts\nwords.told({ a: 'x' });\n```",
    );
    expect(toolOf('told').parametersJsonSchema?.['examples']).toEqual([{ a: { a: '1' }, c: 'x' }]);
  });

  it('of a parameter are read in every way that people write them', () => {
    expect(propertiesOf('told')).toMatchObject({
      a: { description: 'Typed `x`.', examples: [{ a: 'b' }] },
      b: { description: 'Optional one.' },
      c: { description: 'a dash; see the docs.' },
      d: { description: 'with a colon.' },
      e: { properties: { y: { properties: { z: { description: 'Deep.', minimum: 3 } } } } },
      f: { items: { properties: { id: { description: 'Id of each.' } } } },
    });
    expect(toolOf('line')).toMatchObject({
      description: 'One line.\n\nReturns: Nothing.',
      parametersJsonSchema: { properties: { a: { description: 'With `@param b no` code.', minLength: 1 } } },
    });
  });

  it('of an enum are those of its members, too', () => {
    expect(propertiesOf('places')).toMatchObject({
      a: { description: 'Colour of things.\n- red: Like blood.\n- blue: Like the sea.' },
    });
  });

  it('of a property come from itself, its object, its constructor or what it overrides', () => {
    expect(definitionsOf('places')).toMatchObject({
      Renamed: { properties: { name: { description: 'What it is called.', minLength: 2 } } },
      Thing: {
        properties: { name: { description: 'What it is called.' }, count: { description: 'Its own.' } },
      },
      Order: {
        description: 'An order.',
        properties: {
          id: { description: 'The id of it.' },
          total: { description: 'The total.', minimum: 1 },
          note: { description: 'Its own.' },
        },
      },
      Made: {
        properties: {
          source: { description: 'Where from.' },
          size: { description: 'How big.', maximum: 3, default: 2 },
        },
      },
    });
  });

  it('hide a property that is no business of the model, and mark one that is deprecated', () => {
    expect(definitionsOf('places')['Shown']).toEqual({
      type: 'object',
      properties: { four: { type: 'string', deprecated: true }, five: { type: 'boolean' } },
      required: ['four', 'five'],
      additionalProperties: false,
    });
  });

  it('of a default or an example are a value where the type allows it, and words where it does not', () => {
    expect(propertiesOf('values')).toEqual({
      a: { type: 'number', examples: [7], description: 'X.\nExample: about five\nDefault: none' },
      b: { type: 'string', examples: ['42'], description: 'Y.\nDefault: null' },
      c: {
        type: 'array',
        items: { type: 'string' },
        examples: [['a']],
        description: 'Z.\nDefault: Date.now()',
      },
      d: { type: 'string', default: 'single' },
      e: { $ref: '#/$defs/Order', default: { id: '1' } },
    });
  });

  it('are completed by those of overloads and of the method that is overridden', () => {
    expect(toolOf('over')).toMatchObject({
      description: 'First.',
      parametersJsonSchema: {
        properties: { a: { description: 'Of the first.' }, b: { description: 'Of the second, too.' } },
      },
    });
    expect(toolOf('find', 'Child')).toMatchObject({
      description: 'Finds.',
      parametersJsonSchema: { properties: { query: { description: 'What for.' } } },
    });
  });
});
