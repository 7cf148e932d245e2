import { ScriptInput } from './open-input.js';

describe('ScriptInput', () => {
  it('plays line after line, without comments and blank lines, and shows them', async () => {
    const { input, shown } = play('# a demo\n\nWhere is W1?\n  /state  \n');

    expect(await input.readMessage()).toBe('Where is W1?');
    expect(await input.readMessage()).toBe('/state');
    expect(await input.readMessage()).toBeUndefined();
    expect(shown.join('')).toBe('\n› Where is W1?\n\n› /state\n');
  });

  it('answers questions with y and n, and with nothing else', async () => {
    const { input } = play('y\nn, too much\nNow the next one');

    expect(await input.readAnswer('y/n › ')).toBe('y');
    expect(await input.readAnswer('y/n › ')).toBe('n, too much');
    expect(await input.readAnswer('y/n › ')).toBeUndefined();
    expect(await input.readMessage()).toBe('Now the next one');
  });

  it('passes over an answer that nothing waits for', async () => {
    const { input } = play('y\nHello');

    expect(await input.readMessage()).toBe('Hello');
  });
});

function play(script: string): { input: ScriptInput; shown: string[] } {
  const shown: string[] = [];
  return { input: new ScriptInput(script, (text) => shown.push(text)), shown };
}
