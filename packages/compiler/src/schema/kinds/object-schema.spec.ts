import type { JsonSchema } from '@adorn/core';

import { deriveSource } from '../../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

interface Plain { id: string }
class Point { x = 0; y?: number }
/** @asType integer */
interface Cents { readonly amount: number }
/**
 * A basket.
 * @minProperties 1
 * @minimum 3
 * @additionalProperties true
 * @property fruit What is in it.
 * @property label Not said here.
 */
interface Basket { fruit: string; /** Its own. */ label: string }
/** @additionalProperties true */
interface Counted { [key: string]: number }
class Names extends Array<string> {}
interface Sizes extends ReadonlyArray<number> {}
/** @maxLength 3 */
type Code = string;

export class Objects {
  @tool definitions(a: Plain, b: Point, c: { id: string }): void {}
  @tool tagged(a: Cents, b: Basket, c: Counted): void {}
  @tool retyped(/** @asType string */ a: Plain, b: { /** @asType string */ c: Plain }): void {}
  @tool keys(a: { [place: number]: string }, b: Record<\`x-\${string}\`, boolean>, c: { id: string; [key: string]: unknown }, d: { [key: string]: never }): void {}
  @tool empty(a: {}, b: Pick<Plain, never>): void {}
  @tool lists(a: (Code)[], b: readonly Code[], c: Array<Code>, d: Names, e: Sizes): void {}
  @tool gives(): { list: string[]; open: { [key: string]: number } } { return { list: [], open: {} }; }
}
`;

describe('the schema of an object', () => {
  const derived = deriveSource(SOURCE);
  const toolOf = (method: string) => derived.classes['Objects']?.tools[method];
  const propertiesOf = (method: string): unknown => toolOf(method)?.parametersJsonSchema['properties'];
  const definitionsOf = (method: string): unknown => toolOf(method)?.parametersJsonSchema['$defs'];

  it('is derived for every one of them', () => {
    expect(derived.faults).toEqual({});
  });

  it('is a definition where its interface or class has a name, and stands in place where it has none', () => {
    expect(propertiesOf('definitions')).toEqual({
      a: { $ref: '#/$defs/Plain' },
      b: { $ref: '#/$defs/Point' },
      c: object({ id: { type: 'string' } }, ['id']),
    });
    expect(definitionsOf('definitions')).toEqual({
      Plain: object({ id: { type: 'string' } }, ['id']),
      Point: object({ x: { type: 'number', default: 0 }, y: { type: 'number' } }),
    });
  });

  it('takes from the comment of an interface what speaks of an object, and words for its properties', () => {
    expect(definitionsOf('tagged')).toEqual({
      Cents: { type: 'integer' },
      Basket: {
        type: 'object',
        description: 'A basket.',
        properties: {
          fruit: { type: 'string', description: 'What is in it.' },
          label: { type: 'string', description: 'Its own.' },
        },
        required: ['fruit', 'label'],
        minProperties: 1,
        additionalProperties: true,
      },
      Counted: { type: 'object', additionalProperties: { type: 'number' } },
    });
  });

  it('is the type that a comment gives it where it is mentioned', () => {
    expect(propertiesOf('retyped')).toEqual({
      a: { type: 'string' },
      b: object({ c: { type: 'string' } }, ['c']),
    });
    expect(definitionsOf('retyped')).toBeUndefined();
  });

  it('says what keys an index signature allows', () => {
    expect(propertiesOf('keys')).toEqual({
      a: {
        type: 'object',
        patternProperties: { '^-?[0-9]+(\\.[0-9]+)?$': { type: 'string' } },
        additionalProperties: false,
      },
      b: { type: 'object', patternProperties: { '^x-': { type: 'boolean' } }, additionalProperties: false },
      c: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      d: { type: 'object', additionalProperties: false },
    });
  });

  it('is open where it is written as {}, and closed where no property is left of it', () => {
    expect(propertiesOf('empty')).toEqual({
      a: { type: 'object' },
      b: { type: 'object', additionalProperties: false },
    });
  });

  it('of a list has the words of the alias that its elements are written as', () => {
    const codes = { type: 'array', items: { type: 'string', maxLength: 3 } };

    expect(propertiesOf('lists')).toEqual({
      a: codes,
      b: codes,
      c: codes,
      d: { type: 'array', items: { type: 'string' } },
      e: { type: 'array', items: { type: 'number' } },
    });
  });

  it('that a tool gives may have more than its type names', () => {
    expect(toolOf('gives')?.responseJsonSchema).toEqual({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string' } },
        open: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['list', 'open'],
    });
  });
});

function object(properties: Record<string, JsonSchema>, required?: readonly string[]): JsonSchema {
  return { type: 'object', properties, ...(required && { required }), additionalProperties: false };
}
