import { programsIn } from './program-lines.js';

const linesOf = (...program: readonly string[]): number | undefined =>
  programsIn(['// example: one', ...program, '// end of example'].join('\n'))[0]?.lines;

describe('the lines of an example', () => {
  it('are those with code: no blank lines, no comments, no doc comments', () => {
    const program = [
      '/**',
      ' * Rolls.',
      ' * @param sides of the die',
      ' */',
      '',
      'class Dice {',
      '  // how',
      '  roll(/* how many */ sides: number) { // behind code',
      '    return sides;',
      '  }',
      '}',
    ];

    expect(linesOf(...program)).toBe(5);
  });

  it('are all lines of a template that are not blank', () => {
    expect(linesOf('const text = `one', '', '// two`;')).toBe(2);
    expect(linesOf('const text = `one ${1 +', '2} two', 'three`;')).toBe(3);
  });

  it('are not those of its neighbours, and its imports are counted for themselves', () => {
    const text = [
      "import { agent, LlmAgent } from 'adorn';",
      'import {',
      '  says,',
      "} from '@adorn/testing';",
      "import { expect } from 'expect';",
      '// example: one',
      '@agent({})',
      'class One extends LlmAgent {}',
      '// end of example',
      'const between = expect;',
      '// example: two',
      "says('two');",
      '// end of example',
    ];

    expect(programsIn(text.join('\n'))).toEqual([
      { name: 'one', lines: 2, imports: 1 },
      { name: 'two', lines: 1, imports: 1 },
    ]);
  });

  it('need an end', () => {
    expect(() => programsIn('// example: one\nrun();')).toThrow('The example "one" has no end');
    expect(() => programsIn('// example: one\n// example: two\n// end of example')).toThrow(
      'has no end before "two"',
    );
  });
});
