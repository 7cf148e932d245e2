import { deriveSource } from '../fixtures/temporary-project.js';

describe('the type Integer', () => {
  it('is an integer in a parameter, a field, a list, an optional and a union, also under an own name', () => {
    const derived = deriveSource(`
import { type Integer, tool } from 'adorn';

/** @minimum 1 */
type Cents = Integer;
interface Line { cents: Cents; count?: Integer }

export class Types {
  @tool plain(a: Integer): Integer { return a; }
  @tool optional(a?: Integer): void {}
  @tool orNull(a: Integer | null): void {}
  @tool orText(a: Integer | 'all'): void {}
  @tool list(a: Integer[]): void {}
  @tool lines(a: Line): void {}
  @tool number(a: number): void {}
}
`);
    const shapeOf = (method: string): unknown => {
      const schema = derived.classes['Types']?.tools[method]?.parametersJsonSchema;
      return (schema?.['properties'] as Record<string, unknown> | undefined)?.['a'];
    };

    expect(derived.faults).toEqual({});
    expect(shapeOf('plain')).toEqual({ type: 'integer' });
    expect(shapeOf('optional')).toEqual({ type: 'integer' });
    expect(shapeOf('orNull')).toEqual({ type: ['integer', 'null'] });
    expect(shapeOf('orText')).toEqual({ anyOf: [{ type: 'integer' }, { type: 'string', const: 'all' }] });
    expect(shapeOf('list')).toEqual({ type: 'array', items: { type: 'integer' } });
    const lines = derived.classes['Types']?.tools['lines']?.parametersJsonSchema;
    expect(lines?.['$defs']).toMatchObject({
      Line: { properties: { cents: { type: 'integer', minimum: 1 }, count: { type: 'integer' } } },
    });
    expect(shapeOf('number')).toEqual({ type: 'number' });
  });
});
