import { PassThrough } from 'node:stream';

import { TerminalInput } from './terminal-input.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

describe('TerminalInput', () => {
  it('reads what is typed, and keeps what is typed ahead', async () => {
    const { input, type } = open();
    const first = input.readMessage();
    type('one\rtwo\r');

    expect(await first).toBe('one');
    expect(await input.readMessage()).toBe('two');
  });

  it('takes no answer that was typed before its question, and keeps a message typed ahead', async () => {
    const { input, type } = open();
    type('y\rand then\r');

    const answer = input.readAnswer('y/n › ');
    type('n\r');

    expect(await answer).toBe('n');
    expect(await input.readMessage()).toBe('and then');
  });

  it('gives Ctrl-C during a turn to whoever listens', () => {
    const { input, type } = open();
    let interrupts = 0;
    const stop = input.onInterrupt(() => (interrupts += 1));
    type(CTRL_C);
    stop();
    type(CTRL_C);

    expect(interrupts).toBe(1);
  });

  it('warns at the first Ctrl-C at the prompt, and ends at the second', async () => {
    const { input, type, written } = open();
    const message = input.readMessage();
    type(CTRL_C);
    expect(written()).toContain('Ctrl-C once more');
    type(CTRL_C);

    expect(await message).toBeUndefined();
    expect(await input.readMessage()).toBeUndefined();
  });

  it('ends at Ctrl-D', async () => {
    const { input, type } = open();
    const message = input.readMessage();
    type(CTRL_D);

    expect(await message).toBeUndefined();
  });
});

const opened: TerminalInput[] = [];

afterEach(() => {
  for (const input of opened.splice(0)) input.close();
});

function open(): { input: TerminalInput; type: (keys: string) => void; written: () => string } {
  const keys = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (piece: Buffer) => (text += piece.toString()));
  const input = new TerminalInput(keys, output);
  opened.push(input);
  return { input, type: (typed) => keys.emit('data', Buffer.from(typed)), written: () => text };
}
