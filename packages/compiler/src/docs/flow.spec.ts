import { flow } from './doc-comment.js';

describe('the text of comment lines', () => {
  it.each([
    ['one paragraph', ['', ' A line', 'and another. '], 'A line and another.'],
    ['two paragraphs', ['One.', '', '', 'Two.'], 'One.\n\nTwo.'],
    ['a list', ['Takes', '- one', '  * two', '3. three', '|a|'], 'Takes\n- one\n  * two\n3. three\n|a|'],
    ['words behind an item', ['- one', 'more', 'of it'], '- one more of it'],
    [
      'code',
      ['Call:', '```ts', '  run();', '', '  // - no item', '```', 'and', 'wait.'],
      'Call:\n```ts\n  run();\n\n  // - no item\n```\nand wait.',
    ],
    ['links', ['{@link Order | the order}, {@link Order}, {@link Bill bills}'], 'the order, Order, bills'],
  ])('keeps %s', (_what, lines, text) => {
    expect(flow(lines)).toBe(text);
  });
});
