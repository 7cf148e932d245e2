import { fillArguments } from './fill-arguments.js';
import { simplify } from './simple-schema.js';

const ORDER = { type: 'string', description: 'Order number, such as "W2611340".' };

describe('fillArguments', () => {
  it('takes ids by their example, money as cents, and choices by their words', () => {
    const refund = toolOf('refund_order', {
      orderId: ORDER,
      cents: { type: 'integer', description: 'Amount in cents.', minimum: 1 },
      reason: { type: 'string', enum: ['damaged', 'late'] },
    });

    expect(argumentsFor(refund, 'Please refund 59,90 euros for w2611340, it came late')).toEqual({
      orderId: 'W2611340',
      cents: 5990,
      reason: 'late',
    });
    expect(argumentsFor(refund, 'Refund order W2611340, 500 cents')).toEqual({
      orderId: 'W2611340',
      cents: 500,
    });
    expect(argumentsFor(refund, 'W2611340: I want €60 back')).toEqual({ orderId: 'W2611340', cents: 6000 });
  });

  it('takes what is written behind the name of an argument, and JSON as it is', () => {
    const claim = { type: 'string', pattern: '^C-\\d+$' };
    const pay = toolOf(
      'pay_claim',
      {
        reason: { type: 'string' },
        claimId: claim,
        cents: { type: 'integer', description: 'What is paid, in cents.' },
        payee: { type: 'string' },
      },
      ['reason', 'claimId', 'cents', 'payee'],
    );
    const args = { claimId: 'C-1', cents: 90_000, payee: 'Ada Holm', reason: 'hail, twice' };

    expect(argumentsFor(pay, `pay_claim ${JSON.stringify(args)}`)).toEqual(args);
    expect(
      argumentsFor(pay, 'Pay claimId: c-1, cents: 90000, payee: Ada Holm, reason: hail, twice.'),
    ).toEqual(args);
    expect(argumentsFor(pay, 'Pay reason = hail, twice; payee="Ada Holm" cents=90000 claim id=C-1')).toEqual(
      args,
    );
    expect(argumentsFor(pay, 'pay_claim {"claimId":7,"cents":"many"} to nobody')).toMatchObject({
      claimId: 7,
      cents: 'many',
    });
    expect(argumentsFor(toolOf('move', { from: claim, to: claim }), 'move to: C-2, from: C-1')).toEqual({
      from: 'C-1',
      to: 'C-2',
    });
  });

  it('reads a long text in a moment', () => {
    const note = toolOf('add_note', { note: { type: 'string' }, city: { type: 'string' } });
    const texts = ['note: ', 'city: ', '{"note":'].flatMap((start) =>
      [' ', '\n', ', ', 'a ', '{'].map((piece) => start + piece.repeat(50_000)),
    );
    const before = performance.now();

    for (const text of texts) argumentsFor(note, text);

    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('takes ids by a pattern, and not the name beside them', () => {
    const claimId = { type: 'string', pattern: '^C-\\d+$' };
    const assign = toolOf('assign', { claimId, assessorId: { type: 'string', pattern: '^S-\\d+$' } });

    expect(argumentsFor(assign, 'Assign assessor S-1 to claim C-1 of "Ada Holm"')).toEqual({
      claimId: 'C-1',
      assessorId: 'S-1',
    });
  });

  it('says what is missing', () => {
    const { missing } = fillArguments(toolOf('track_order', { orderId: ORDER }), {
      request: ['Where is it?'],
      earlier: [],
    });

    expect(missing).toMatchObject([{ name: 'orderId' }]);
  });

  it('recalls an id from what was said before, the newest first, but no free text', () => {
    const earlier = ['W1111111 is broken', 'and W2222222 too', 'Is it in Oslo?'];
    const tool = toolOf('note_order', { orderId: ORDER, city: { type: 'string', description: 'A city.' } });

    expect(fillArguments(tool, { request: ['note the order'], earlier })).toMatchObject({
      args: { orderId: 'W2222222' },
      missing: [{ name: 'city' }],
    });
  });

  it('takes names, quotes and what is left of the sentence as free text', () => {
    const weather = toolOf('get_weather', { city: { type: 'string' } });
    const search = toolOf('search_products', { query: { type: 'string' } });

    expect(argumentsFor(weather, 'What is the weather in New York tomorrow?')).toEqual({ city: 'New York' });
    expect(argumentsFor(weather, 'weather in oslo, please')).toEqual({ city: 'oslo' });
    expect(argumentsFor(search, 'Search for a charger for my laptop')).toEqual({
      query: 'charger for my laptop',
    });
    expect(argumentsFor(search, 'Search for "USB-C cable"')).toEqual({ query: 'USB-C cable' });
  });

  it('takes text after a colon for a note', () => {
    const note = toolOf('add_note', { note: { type: 'string' } });

    expect(argumentsFor(note, 'Leave a note: please ring twice.')).toEqual({ note: 'please ring twice' });
  });

  it('takes optional numbers with a cue only, and switches by their words', () => {
    const list = toolOf('list_lamps', { limit: { type: 'integer' }, inStock: { type: 'boolean' } }, []);

    expect(argumentsFor(list, 'List the last 3 lamps in stock')).toEqual({ limit: 3, inStock: true });
    expect(argumentsFor(list, 'List lamps of 27 inches, not in stock')).toEqual({ inStock: false });
  });

  it('fills objects within objects, and leaves an optional one out where a part is missing', () => {
    const address = {
      type: 'object',
      properties: {
        street: { type: 'string', description: 'Such as "Gartenweg 5".' },
        postcode: { type: 'string', description: 'Such as "10969".' },
        city: { type: 'string' },
      },
      required: ['street', 'postcode', 'city'],
    };
    const change = toolOf('change_address', { orderId: ORDER, address });

    expect(argumentsFor(change, 'Change the address of W2694415 to Lindenstraße 14, 10969 Berlin')).toEqual({
      orderId: 'W2694415',
      address: { street: 'Lindenstraße 14', postcode: '10969', city: 'Berlin' },
    });
    expect(
      argumentsFor(toolOf('ship', { orderId: ORDER, address }, ['orderId']), 'Ship W2694415 to 10969'),
    ).toEqual({
      orderId: 'W2694415',
    });
  });

  it('fills lists with all that fits', () => {
    const tool = toolOf('compare', {
      ids: { type: 'array', items: ORDER },
      parts: { type: 'array', items: { enum: ['price', 'size'] } },
    });

    expect(argumentsFor(tool, 'Compare W1111111 and W2222222 by price and size')).toEqual({
      ids: ['W1111111', 'W2222222'],
      parts: ['price', 'size'],
    });
  });
});

function toolOf(
  name: string,
  properties: Record<string, unknown>,
  required = Object.keys(properties).filter((key) => key !== 'reason'),
) {
  return { name, description: '', parameters: simplify({ type: 'object', properties, required }) };
}

function argumentsFor(tool: ReturnType<typeof toolOf>, request: string): Record<string, unknown> {
  return fillArguments(tool, { request: [request], earlier: [] }).args;
}
