import { type CommentPart, takeDefault } from './stated-default.js';

const words = (text: string): CommentPart => ({ kind: 'text', text });
const code = (text: string): CommentPart => ({ kind: 'code', text });
const textOf = (parts: readonly CommentPart[] = []): string => parts.map(({ text }) => text).join('');
const taken = (...parts: CommentPart[]): string[] => {
  const found = takeDefault(parts);
  return [textOf(found?.rest), textOf(found?.stated)];
};

describe('takeDefault', () => {
  it('takes the sentence at the end of a description', () => {
    expect(taken(words('How many. Default: 3.'))).toEqual(['How many.', '3']);
    expect(taken(words('Default: none.'))).toEqual(['', 'none']);
  });

  it('keeps what comes behind it, and dots within numbers and code', () => {
    expect(taken(words('Where. Default: '), code('`a.b`'), words(', or 0.5. Never both.'))).toEqual([
      'Where. Never both.',
      '`a.b`, or 0.5',
    ]);
  });

  it('finds none where none is stated', () => {
    expect(takeDefault([words('The name.'), code('`Default: x`')])).toBeUndefined();
  });
});
