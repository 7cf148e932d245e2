import { parseDocComment } from './doc-comment.js';

describe('parseDocComment', () => {
  it('keeps the text and leaves the tags of others out', () => {
    const words = parseDocComment(`
     * Refund an order to the card
     * that paid for it.
     *
     * Use it only after the customer gave the order number.
     * @returns The receipt.
     * @throws where the order is unknown
     `);

    expect(words.description).toBe(
      'Refund an order to the card that paid for it.\n\nUse it only after the customer gave the order number.',
    );
    expect(words.params).toEqual(new Map());
  });

  it('gives each @param its text, without a leading dash, a type or a default', () => {
    const { params } = parseDocComment(`
     * @param id - Order number,
     *   such as "W2611340".
     * @param {number} [cents=1] Amount in cents.
     * @param options.note Shown on the receipt.`);

    expect(params).toEqual(
      new Map([
        ['id', { description: 'Order number, such as "W2611340".', tags: {} }],
        ['cents', { description: 'Amount in cents.', tags: {} }],
        ['options.note', { description: 'Shown on the receipt.', tags: {} }],
      ]),
    );
  });

  it('takes schema tags out of the text, on the line and below it', () => {
    const { params } = parseDocComment(`
     * @param cents Amount in cents. @minimum 1 @maximum 500 At most five euros.
     * @param code Code. @pattern ^[A-Z]+@[0-9]{2}$
     * @maxLength 12
     * @example AB@12
     * @param tags Labels. @uniqueItems
     * @minItems 1
     * @items.maxLength 3`);

    expect(params).toEqual(
      new Map([
        [
          'cents',
          { description: 'Amount in cents. At most five euros.', tags: { minimum: 1, maximum: 500 } },
        ],
        [
          'code',
          {
            description: 'Code.',
            tags: { pattern: '^[A-Z]+@[0-9]{2}$', maxLength: 12, examples: ['AB@12'] },
          },
        ],
        [
          'tags',
          { description: 'Labels.', tags: { uniqueItems: true, minItems: 1, items: { maxLength: 3 } } },
        ],
      ]),
    );
  });

  it('takes an @ inside a line for text where it is no schema tag', () => {
    const { params } = parseDocComment(
      '\n * @param to Address such as ada@example.org, or a handle like @ada.',
    );

    expect(params.get('to')?.description).toBe('Address such as ada@example.org, or a handle like @ada.');
  });

  it('reads a comment of one line', () => {
    expect(parseDocComment(' Runs it. @param n How often. @minimum 1 @returns Nothing. ')).toEqual({
      description: 'Runs it.',
      tags: {},
      params: new Map([['n', { description: 'How often.', tags: { minimum: 1 } }]]),
    });
  });

  it('never loads what a tag asks to require', () => {
    expect(parseDocComment(' @default require("./secrets.js").default').tags).toEqual({
      default: 'require("./secrets.js").default',
    });
  });

  it('keeps lists, and writes links as their words', () => {
    expect(
      parseDocComment(' One of:\n * - {@link Red | red}\n * - {@link Blue}\n *\n * Nothing else.')
        .description,
    ).toBe('One of:\n- red\n- Blue\n\nNothing else.');
  });

  it('keeps the texts of defaults and examples as they are written, for their type tells what they are', () => {
    expect(parseDocComment(' @default [1, 2]\n * @examples ["a", "b"]\n * @example c d').tags).toEqual({
      default: '[1, 2]',
      examples: ['["a", "b"]', 'c d'],
    });
  });

  it('leaves out what is said to a check, also in the middle of a line', () => {
    expect(parseDocComment(' Roll a die. @adorn-ignore generic-name: it is a game').description).toBe(
      'Roll a die.',
    );
    expect(
      parseDocComment('\n * Roll a die.\n * @adorn-ignore generic-name: it is a game\n').description,
    ).toBe('Roll a die.');
  });
});
