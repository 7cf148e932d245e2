import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';
import type { Lost } from './lost.js';

interface Trip { from: string; to: string; days?: number }
class Kept implements Lost { id = ''; when?: string }

export class Parameters {
  @tool some(...words: string[]): void {}
  @tool both(...both: [string, number]): void {}
  @tool perhaps(...perhaps: [string, number] | string[]): void {}
  @tool either(...either: [string] | [string, number]): void {}
  @tool optional(a: string, b: string | undefined, c?: string, d = 'x', ...e: [string?]): void {}
  @tool whole({ from, to }: Trip = { from: 'Oslo', to: 'Bergen' }): void {}
  @tool parts({ from = 'Oslo', to, days = 2 }: Trip): void {}
  @tool partly({ from }: Trip = JSON.parse('{}')): void {}
  @tool implementing(kept: Kept): void {}
}
`;

describe('a parameter', () => {
  const { classes, faults } = deriveSource(SOURCE);
  const requiredBy = (tool: string): unknown =>
    classes['Parameters']?.tools[tool]?.parametersJsonSchema['required'];
  const defaultsOf = (tool: string): Record<string, unknown> => {
    const properties = classes['Parameters']?.tools[tool]?.parametersJsonSchema['properties'];
    const entries = Object.entries(properties as Record<string, { default?: unknown }>);
    return Object.fromEntries(
      entries.flatMap(([name, part]) => ('default' in part ? [[name, part.default]] : [])),
    );
  };

  it.each([
    ['a list that may be empty', 'some', undefined],
    ['a list that is never empty', 'both', ['both']],
    ['a list of which one form may be empty', 'perhaps', undefined],
    ['a list of which no form is empty', 'either', ['either']],
    ['what may be absent, by its mark, its type or its default', 'optional', ['a']],
    ['a property that a default of the whole has', 'whole', undefined],
    ['a property that has a default where it is taken', 'parts', ['to']],
    ['one that a default has which is known only when the program runs', 'partly', ['from', 'to']],
  ])('is demanded as its type says: %s', (_what, tool, required) => {
    expect(requiredBy(tool)).toEqual(required);
  });

  it('tells the defaults that are constants, of the whole and of its parts', () => {
    expect(defaultsOf('optional')).toEqual({ d: 'x' });
    expect(defaultsOf('whole')).toEqual({ from: 'Oslo', to: 'Bergen' });
    expect(defaultsOf('parts')).toEqual({ from: 'Oslo', days: 2 });
    expect(defaultsOf('partly')).toEqual({});
  });

  it('may be of a class that implements what TypeScript cannot find: nothing of its data comes from there', () => {
    expect(faults).toEqual({});
    expect(classes['Parameters']?.tools['implementing']?.parametersJsonSchema['$defs']).toMatchObject({
      Kept: { properties: { id: { type: 'string' }, when: { type: 'string' } } },
    });
  });
});
