import { printable } from './printable.js';

const ESC = '\u001b';

describe('printable', () => {
  it.each([
    ['a clipboard escape', `a${ESC}]52;c;ZXZpbA==\u0007b`, 'a]52;c;ZXZpbA==b'],
    ['hidden text', `a${ESC}[8mb`, 'a[8mb'],
    ['a C1 control sequence', 'a\u009b8mb', 'a8mb'],
    ['a carriage return, a backspace and a null', 'pay 5\r\b\u0000!', 'pay 5!'],
    ['a reversed direction', 'pay \u202e5 \u2066x\u2069', 'pay 5 x'],
    ['a zero-width space and a byte order mark', 'a\u200bb\ufeff', 'ab'],
  ])('removes %s', (_what, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('keeps lines, tabs, other alphabets and joined emoji', () => {
    const text = 'a\n\tb שלום مرحبا می‌خواهم 日本 👩‍👧 ❤️';

    expect(printable(text)).toBe(text);
  });
});
