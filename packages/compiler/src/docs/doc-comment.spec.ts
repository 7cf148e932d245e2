import { parseDocComment } from './doc-comment.js';

describe('parseDocComment', () => {
  it('keeps the text, and what is returned and thrown after it', () => {
    const words = parseDocComment(`
     * Refund an order to the card
     * that paid for it.
     *
     * Use it only after the customer gave the order number.
     * @returns The receipt.
     * @throws where the order is unknown
     `);

    expect(words.description).toBe(
      'Refund an order to the card that paid for it.\n\nUse it only after the customer gave the order number.\n\n' +
        'Returns: The receipt.\n\nThrows: where the order is unknown',
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
      description: 'Runs it.\n\nReturns: Nothing.',
      tags: {},
      params: new Map([['n', { description: 'How often.', tags: { minimum: 1 } }]]),
    });
  });

  it('tells what is returned, thrown and remarked after the text, in the order in which it is written', () => {
    const { description, params } = parseDocComment(`
     * Looks up an order.
     *
     * Second paragraph.
     * @param id Order number.
     * @returns {Order} The order, whose \`status\` is one of:
     *   - shipped
     *   - pending
     * @throws {ToolError} If there is no such order.
     * @remarks Slow in the morning.
     * @return
     * @privateRemarks Nobody reads this.
     `);

    expect(description).toBe(
      'Looks up an order.\n\nSecond paragraph.\n\n' +
        'Returns: The order, whose `status` is one of:\n  - shipped\n  - pending\n\n' +
        'Throws: If there is no such order.\n\nSlow in the morning.',
    );
    expect(params.get('id')?.description).toBe('Order number.');
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

  it.each([
    ['a first line with signs of its own', ' **Bold** words.', '**Bold** words.'],
    ['lines with stars and without', 'One\r\n\t* two\r\n  three\n*four\n *five.', 'One two three four five.'],
    ['what is indented behind the star', '\n * - one\n *   - two', '- one\n  - two'],
    ['no indent of lines without stars', ' One:\n  - two\n    - three', 'One:\n- two\n- three'],
    ['a list alone', '\n *   - one\n *   - two', '- one\n  - two'],
    ['an address that begins a line', '\n * ada@example.org is one.', 'ada@example.org is one.'],
    ['no words of a tag that is indented', ' One.\n *   @author Ada\n * and others', 'One.'],
    ['tags in code', ' Write `a @param b @see c` there.', 'Write `a @param b @see c` there.'],
    ['one paragraph around lines of tags', '\n * One\n * @minimum 1\n * two.', 'One two.'],
    ['two paragraphs', '\n * One.\n *\n * Two.', 'One.\n\nTwo.'],
    ['words around a tag on the line', '\n * One  @minimum 1  two @maximum 2 three.', 'One two three.'],
    ['no words of a tag of others', ' One.\n * @author Ada\n * and others', 'One.'],
    ['a tag in code', ' Write `@param x text` there.', 'Write `@param x text` there.'],
    ['a word that begins as a tag does', ' Sow @seeds and @paramount.', 'Sow @seeds and @paramount.'],
  ])('keeps %s', (_what, text, description) => {
    expect(parseDocComment(text).description).toBe(description);
  });

  it.each(['description', 'desc', 'summary'])('keeps the text of @%s apart, as its own', (tag) => {
    const text = `\n * One.\n * @param a A.\n * @${tag} Two\n * three. @minimum 1\n * @example 5`;

    expect(parseDocComment(text)).toStrictEqual({
      description: 'One.\n\nTwo three.',
      tags: { minimum: 1, examples: ['5'] },
      params: new Map([['a', { description: 'A.', tags: {} }]]),
    });
  });

  it('has no words where there are none', () => {
    expect(parseDocComment('\n *\n * @param a\n ')).toStrictEqual({
      tags: {},
      params: new Map([['a', { tags: {} }]]),
    });
  });

  it.each(['param', 'arg', 'argument', 'property', 'prop'])('reads @%s, also on the line', (tag) => {
    expect(parseDocComment(` Text. @${tag} a A.\n * @${tag} b B.\n * and more.`)).toStrictEqual({
      description: 'Text.',
      tags: {},
      params: new Map([
        ['a', { description: 'A.', tags: {} }],
        ['b', { description: 'B. and more.', tags: {} }],
      ]),
    });
  });

  it.each([
    ...['deprecated', 'see', 'privateRemarks', 'since', 'template'],
    ...['typeParam', 'internal', 'hidden', 'hide', 'ignore', 'public', 'alpha', 'beta', 'experimental'],
    ...['override', 'adorn-ignore'],
  ])('leaves @%s out of the line it stands in', (tag) => {
    expect(parseDocComment(` Text. @${tag} what else`).description).toBe('Text.');
  });

  it.each(['description', 'summary'])('keeps the text of @%s where it stands in a line', (tag) => {
    expect(parseDocComment(` One. @${tag} Two.`).description).toBe('One.\n\nTwo.');
  });

  it.each([
    ['deprecated', 'Use another.', true],
    ['deprecated', '', true],
    ['internal', ' false ', false],
    ['TJS-ignore', 'true', true],
  ])('notes the mark @%s %s of the whole, wherever it stands', (tag, text, value) => {
    expect(parseDocComment(`\n * One.\n * @param a A.\n * @${tag} ${text}`)).toStrictEqual({
      description: 'One.',
      tags: { [tag]: value },
      params: new Map([['a', { description: 'A.', tags: {} }]]),
    });
  });

  it.each([
    ['a Text.', 'a', 'Text.'],
    ['  {string}  a Text.', 'a', 'Text.'],
    ['{{ b: { c: string } }} a Text {b}.', 'a', 'Text {b}.'],
    ['{string}a Text.', 'a', 'Text.'],
    ['a Text {b}.', 'a', 'Text {b}.'],
    ['[a] Text.', 'a', 'Text.'],
    ['[ a = 1 ] Text.', 'a', 'Text.'],
    ['[a=[1, 2]] Text.', 'a', 'Text.'],
    ['[a.b=x] Text [c].', 'a.b', 'Text [c].'],
    ['a[].b Text.', 'a[].b', 'Text.'],
    ['$größe_2 Text.', '$größe_2', 'Text.'],
    ['kebab-case Text.', 'kebab-case', 'Text.'],
    ['a - Text - more.', 'a', 'Text - more.'],
    ['a -- Text.', 'a', 'Text.'],
    ['a – Text.', 'a', 'Text.'],
    ['a — Text.', 'a', 'Text.'],
    ['a: Text.', 'a', 'Text.'],
    ['a   Text.', 'a', 'Text.'],
    ['a -5 degrees.', 'a', '-5 degrees.'],
    ['a:b', 'a', ':b'],
    ['{string a', '', '{string a'],
    ['a', 'a', undefined],
    ['a -', 'a', undefined],
  ])('reads "@param %s" as of %s: %s', (text, name, description) => {
    const { params } = parseDocComment(`\n * @param ${text}`);

    expect([...params.keys()]).toEqual([name]);
    expect(params.get(name)?.description).toBe(description);
  });

  it('reads a parameter whose type follows its tag at once', () => {
    expect(parseDocComment('\n * @param{string} a Text.').params.get('a')?.description).toBe('Text.');
  });

  it.each([
    ['@minimum 1 @maximum 5', '', { minimum: 1, maximum: 5 }],
    ['@minimum\t1\tAt least.', 'At least.', { minimum: 1 }],
    ['@minimum   1 At least.', 'At least.', { minimum: 1 }],
    ['@uniqueItems', '', { uniqueItems: true }],
    ['@uniqueItems false', '', { uniqueItems: false }],
    ['@uniqueItems true None twice.', 'None twice.', { uniqueItems: true }],
    ['@nullable  None is fine.', 'None is fine.', { nullable: true }],
    ['@title An order @minimum 1 At least.', 'At least.', { title: 'An order', minimum: 1 }],
    ['@default 5 or so @example 6', '', { default: '5 or so', examples: ['6'] }],
    ['@items.pattern ^a b$', '', { items: { pattern: '^a b$' } }],
    ['@TJS-minimum 1', '', { minimum: 1 }],
    ['@enum {string}', '', {}],
    ['@enum {string} The colours. @title A colour', 'The colours.', { title: 'A colour' }],
    ['@enum ["a"]', '', { enum: ['a'] }],
    ['@const', '', {}],
    ['@const {number} @minimum 1', '', { minimum: 1 }],
    ['@const {"a": 1}', '', { const: '{"a": 1}' }],
    ['@default', '', {}],
    ['@default {}', '', { default: '{}' }],
    ['@items one for each product', 'one for each product', {}],
    ['@items {"type": "string"}', '', { items: { type: 'string' } }],
    ['@items string', '', { faults: [{ tag: 'items', written: 'string', wanted: 'a schema in JSON' }] }],
    [
      '@items {type: string}',
      '',
      { faults: [{ tag: 'items', written: '{type: string}', wanted: 'a schema in JSON' }] },
    ],
    ['mail@minimum 1', 'mail@minimum 1', {}],
  ])('reads "%s" on a line as tags and the words "%s"', (line, words, tags) => {
    const description = ['Text.', words].filter((part) => part !== '').join(' ');

    expect(parseDocComment(` Text. ${line}`)).toStrictEqual({ description, tags, params: new Map() });
    expect(parseDocComment(`\n * @param a Text. ${line}`).params.get('a')).toStrictEqual({
      description,
      tags,
    });
  });

  describe('an example', () => {
    it.each([
      ['of one line', '@example 5', ['5']],
      ['behind a tab', '@example\t5', ['5']],
      ['of several lines', '@example {\n *   "a": 1\n * }', ['{\n  "a": 1\n}']],
      ['below its tag', '@example\n * 5', ['5']],
      ['that another ends', '@example 5\n * @example 6', ['5', '6']],
      ['that a tag of others ends', '@example 5\n * @author Ada\n * and others', ['5']],
      ['with what elsewhere is a tag', '  @example run() // @see b', ['run() // @see b']],
      [
        'with decorators in its fence',
        '@example\n * ```ts\n * @tool run() {}\n *  ```\n * @author Ada',
        ['```ts\n@tool run() {}\n ```'],
      ],
      [
        'with decorators in a fence that is indented',
        '@example\n *   ```ts\n *   @tool run() {}\n *   ```',
        ['```ts\n  @tool run() {}\n  ```'],
      ],
      [
        'with two fences',
        '@example\n * ```ts\n * run()\n * ```\n * ```ts\n * @tool\n * ```',
        ['```ts\nrun()\n```\n```ts\n@tool\n```'],
      ],
      ['with no text', '@example\n *\n * @author Ada', undefined],
    ])('%s is kept', (_what, text, examples) => {
      expect(parseDocComment(`\n * One.\n * ${text}`)).toStrictEqual({
        description: 'One.',
        tags: examples === undefined ? {} : { examples },
        params: new Map(),
      });
    });

    it('is of the parameter on whose lines it stands, and of the whole where it begins below its tag', () => {
      const text =
        '\n * @param a A. @minimum 1\n * @example 5\n * @maximum 9\n * @example  \n * run(5)\n * @example 6';

      expect(parseDocComment(text)).toStrictEqual({
        tags: { examples: ['run(5)'] },
        params: new Map([
          ['a', { description: 'A.', tags: { minimum: 1, examples: ['5', '6'], maximum: 9 } }],
        ]),
      });
    });

    it('in the middle of a line ends where a parameter begins', () => {
      expect(parseDocComment(' Text. @example 5 @param a A.')).toStrictEqual({
        description: 'Text.',
        tags: { examples: ['5'] },
        params: new Map([['a', { description: 'A.', tags: {} }]]),
      });
    });

    it('is of the whole where it follows what is left out', () => {
      expect(parseDocComment('\n * @param a A.\n * @since R.\n * @example 5')).toStrictEqual({
        tags: { examples: ['5'] },
        params: new Map([['a', { description: 'A.', tags: {} }]]),
      });
    });
  });
});
