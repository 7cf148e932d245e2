import { drawTerminal } from './terminal-svg.fixture.js';

/** What is drawn below the frame. */
function linesOf(output: string): string[] {
  return drawTerminal('A terminal', output)
    .split('\n')
    .filter((line) => line.startsWith('<text'));
}

describe('drawTerminal', () => {
  it('draws a line of text for each line, and none for an empty one', () => {
    expect(linesOf('one\n\n  two\n')).toEqual([
      '<text x="20" y="30">one</text>',
      '<text x="20" y="68">  two</text>',
    ]);
  });

  it('keeps colours, bold and faint', () => {
    expect(linesOf('\u001b[31mno\u001b[39m, \u001b[1mnot\u001b[22m here')).toEqual([
      '<text x="20" y="30"><tspan class="red">no</tspan>, <tspan class="bold">not</tspan> here</text>',
    ]);
  });

  it('goes on in the next row with the first word that does not fit into a hundred columns, in its colour', () => {
    const [first = '', second, third] = linesOf(`\u001b[2m${'word '.repeat(20)}and more\u001b[22m, end`);
    expect(first).toContain(`${'word '.repeat(20)}</tspan>`);
    expect(second).toBe('<text x="20" y="49"><tspan class="faint">and more</tspan>, end</text>');
    expect(third).toBeUndefined();
  });

  it('breaks a word that is longer than a row', () => {
    expect(linesOf('a'.repeat(250)).map((line) => />(a+)</.exec(line)?.[1]?.length)).toEqual([100, 100, 50]);
  });

  it('writes what XML reserves as references', () => {
    expect(linesOf('a < b && c > d')).toEqual(['<text x="20" y="30">a &#60; b &#38;&#38; c &#62; d</text>']);
  });

  it('refuses a command to the terminal that it cannot show', () => {
    expect(() => drawTerminal('A terminal', '\u001b[45mred\u001b[49m')).toThrow('The code 45 has no look.');
  });
});
