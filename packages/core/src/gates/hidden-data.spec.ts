import { callsTool, says, ScriptedModel } from '@adorn/testing';

import { createRunner, defineAgent, defineTool, ToolError } from '../index.js';
import { toJsonValue } from '@adorn/schema';

const FAILED = new Error('SKU 7 is out of stock');

class Order {
  readonly #cents = 700;
  constructor(readonly id: number) {}
  get cents(): number {
    return this.#cents;
  }
}

class Priced extends Order {
  get label(): string {
    return `order ${String(this.id)}`;
  }
}

class Sealed {
  readonly #sku = 7;
  show(): number {
    return this.#sku;
  }
}

/** Objects whose data JSON does not see: each is refused by its kind. */
const REFUSED: readonly (readonly [kind: string, value: unknown])[] = [
  ['an Error', FAILED],
  ['a TypeError', new TypeError('x')],
  ['an Error at error', { ok: false, error: FAILED }],
  ['an Error at 0.reason', [{ status: 'rejected', reason: FAILED }]],
  ['an AggregateError', new AggregateError([FAILED], 'two failed')],
  ['a Headers', new Headers({ retry: '5' })],
  ['a URLSearchParams', new URLSearchParams('sku=7')],
  ['a FormData', new FormData()],
  ['a RegExp', /sku-\d+/],
  ['a Map', new Map([['sku', 7]])],
  ['a Set', new Set([7])],
  ['a WeakMap without fields', new WeakMap()],
  ['a Sealed without fields', new Sealed()],
  [
    'a getter that throws at sku',
    new (class {
      get sku(): number {
        throw FAILED;
      }
    })(),
  ],
];

/** Objects that arrive as what they are. */
const TAKEN: readonly (readonly [what: string, value: unknown, json: unknown])[] = [
  ['getters of a class', new Order(7), { id: 7, cents: 700 }],
  ['getters of its base class', new Priced(7), { id: 7, cents: 700, label: 'order 7' }],
  [
    'getters of an object',
    {
      get sku() {
        return 7;
      },
    },
    { sku: 7 },
  ],
  ['a String object', new String('sku'), 'sku'],
  ['a Number object in a list', [new Number(7)], [7]],
  ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['a URL', new URL('https://example.com/'), 'https://example.com/'],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { sku: 7 }), { sku: 7 }],
  ['an empty object', {}, {}],
];

describe('toJsonValue', () => {
  it.each(REFUSED)('refuses %s with words', (kind, value) => {
    expect(() => toJsonValue(value, 'result')).toThrow(
      `The value contains ${kind}, which JSON cannot represent.`,
    );
  });

  it.each(TAKEN)('takes %s as what it is', (_what, value, json) => {
    expect(toJsonValue(value, 'result')).toEqual(json);
  });
});

describe('a tool that returns an error', () => {
  it.each([
    ['a ToolError', () => new ToolError('There is no order 7.'), 'There is no order 7.'],
    ['a promise of a ToolError', async () => new ToolError('There is no order 7.'), 'There is no order 7.'],
    ['another Error', () => FAILED, 'The value contains an Error, which JSON cannot represent.'],
  ])('has failed: %s', async (_what, run, said) => {
    const model = new ScriptedModel(callsTool('buy'), says('ok'));
    const buy = defineTool({
      name: 'buy',
      description: '',
      parameters: { type: 'object' },
      effect: 'read',
      run,
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [buy] }), { model });

    const { events } = await runner.run({ userId: 'ada', message: 'Buy' });

    const [response] = events.flatMap(({ functionResponses }) => functionResponses);
    expect(String(response?.response?.['error'])).toContain(said);
  });

  it('cannot put one into the state either', async () => {
    const codes: unknown[] = [];
    const model = new ScriptedModel(callsTool('buy'), says('ok'));
    const buy = defineTool({
      name: 'buy',
      description: '',
      parameters: { type: 'object' },
      run: (_args, { state }) => {
        try {
          state.set('failure', { error: FAILED });
        } catch (error) {
          codes.push((error as { readonly code?: unknown }).code);
        }
        return 'ok';
      },
    });
    await using runner = await createRunner(defineAgent({ name: 'clerk', tools: [buy] }), { model });

    await runner.run({ userId: 'ada', message: 'Buy' });

    expect(codes).toEqual(['RESULT_NOT_JSON']);
  });
});
