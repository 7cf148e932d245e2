import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { agent, tool as offer, toolbox } from 'adorn';
import * as adorn from 'adorn';
import { Base } from './base.js';

/** Helps customers. @internal */
@agent({ tools: [] })
export class Support {}

/** A box. */
@toolbox() class Box {}

export class Renamed { @offer run(): void {} }
export class Spaced { @adorn.tool({ name: 'x' }) run(): void {} }
export class Plain { run(): void {} }
export class Override extends Base { override run(word: 'b' | 'a'): void {} }
export class Described extends Base { /** Its own words. */ override run(word: string): void {} other(): void {} }
export const Held = class { @offer() run(): void {} };
describe('nested', () => { class Inner { @offer() run(): void {} } return Inner; });
declare function describe(name: string, body: () => unknown): void;
/** Twice. */
{ class Twice { @offer a(): void {} } }
{ class Twice { @offer b(): void {} } }
`;

const BASE = `
import { tool } from 'adorn';
export class Base {
  /** Runs. @param word What to say. */
  /**
   * Runs it.
   * @param word What to say.
   */
  @tool() run(word: string): void {}
}
`;

describe('the classes of a file', () => {
  const { classes, faults } = deriveSource(SOURCE, { 'src/base.ts': BASE });

  it('are found by their decorators, whatever these are imported as and wherever the class stands', () => {
    expect(Object.keys(classes).sort()).toEqual(
      ['Box', 'Described', 'Held', 'Inner', 'Override', 'Renamed', 'Spaced', 'Support'].sort(),
    );
  });

  it('have the words of their doc comment', () => {
    expect(classes['Support']).toEqual({ name: 'Support', description: 'Helps customers.', tools: {} });
    expect(classes['Box']).toEqual({ name: 'Box', description: 'A box.', tools: {} });
  });

  it('have the tools that they override, with their own signature, and the words of the base where they have none', () => {
    expect(classes['Override']?.tools['run']).toMatchObject({
      description: 'Runs it.',
      parametersJsonSchema: {
        properties: { word: { type: 'string', enum: ['b', 'a'], description: 'What to say.' } },
      },
    });
    expect(classes['Described']?.tools).toMatchObject({ run: { description: 'Its own words.' } });
    expect(Object.keys(classes['Described']?.tools ?? {})).toEqual(['run']);
  });

  it('that share a name cannot be told apart', () => {
    expect(faults).toEqual({
      Twice: {
        code: 'DERIVATION_FAILED',
        message: expect.stringMatching(/^Two classes are named Twice \(.*:\d+ and .*:\d+\)\./) as unknown,
      },
    });
  });
});
