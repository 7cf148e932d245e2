import type { Content, ModelRequest, ModelResponse } from '@adorn/core';
import type { FunctionDeclaration } from '@adorn/core/backend';

import { OfflineModel } from './offline.model.js';
import { INTRODUCTION } from './phrases.js';

const ORDER = { type: 'string', description: 'Order number, such as "W2611340".' };
const TOOLS: FunctionDeclaration[] = [
  declare(
    'verify_customer',
    'Verify who the customer is. Needed once, before anything about their orders is said.',
    {
      email: { type: 'string', description: 'The e-mail address, such as "ada.keller@example.com".' },
      postcode: { type: 'string', description: 'The postcode of their address, such as "10969".' },
    },
  ),
  declare('list_orders', 'List the orders of the customer, newest first.', {
    'status?': { enum: ['processing', 'shipped', 'delivered', 'cancelled'] },
  }),
  declare('get_order', 'Show one order: its items, its status and what it cost.', { orderId: ORDER }),
  declare(
    'track_order',
    'Track the parcel of an order. Use it when the customer asks where their order is.',
    { orderId: ORDER },
  ),
  declare('search_products', 'Search the shop\'s products by words, such as "desk lamp".', {
    query: { type: 'string', description: 'What the customer is looking for.' },
    'maxCents?': { type: 'integer', description: 'At most so many cents.' },
  }),
  declare('refund_order', 'Refund money for an order to whatever paid for it.', {
    orderId: ORDER,
    cents: { type: 'integer', description: 'Amount in cents.', minimum: 1 },
    'reason?': { enum: ['damaged', 'late'] },
  }),
  declare('cancel_order', 'Cancel an order that is not packed yet.', {
    orderId: { type: 'string', description: 'Order number, such as "W2694415".' },
  }),
];

describe('OfflineModel', () => {
  it.each([
    [
      'I am mara.weber@example.com, postcode 20095',
      'verify_customer',
      { email: 'mara.weber@example.com', postcode: '20095' },
    ],
    ['Show me my orders, please', 'list_orders', {}],
    ['Which of my orders are delivered?', 'list_orders', { status: 'delivered' }],
    ['What was in order W2611340?', 'get_order', { orderId: 'W2611340' }],
    ['What is in order W2694415?', 'get_order', { orderId: 'W2694415' }],
    ['Where is W2680071?', 'track_order', { orderId: 'W2680071' }],
    ['Do you sell desk lamps under 60 euros?', 'search_products', { query: 'desk lamps', maxCents: 6000 }],
    [
      'Refund 129 euros for order W2611340, it was damaged',
      'refund_order',
      { orderId: 'W2611340', cents: 12900, reason: 'damaged' },
    ],
    ['please cancel w2694415', 'cancel_order', { orderId: 'W2694415' }],
  ])('understands "%s" as %s', async (text, name, args) => {
    expect(await callsAfter([user(text)])).toEqual([{ name, args }]);
  });

  it('asks for what is missing, and takes the reply for it', async () => {
    const asked = await textAfter([user('I want a refund')]);
    const request = [user('I want a refund'), model(asked), user('W2611340')];
    const askedAgain = await textAfter(request);

    expect(asked).toBe(
      `${INTRODUCTION}\nTo use refund_order I still need: order id (Order number, such as "W2611340"); cents (Amount in cents).`,
    );
    expect(askedAgain).toBe('To use refund_order I still need: cents (Amount in cents).');
    expect(await callsAfter([...request, model(askedAgain), user('20 euros')])).toEqual([
      { name: 'refund_order', args: { orderId: 'W2611340', cents: 2000 } },
    ]);
  });

  it('takes a reply that answers nothing for a request of its own', async () => {
    const asked = await textAfter([user('Track my parcel')]);

    expect(
      await callsAfter([user('Track my parcel'), model(asked), user('Then search for bread tins')]),
    ).toMatchObject([{ name: 'search_products' }]);
  });

  it('recalls an order number from an earlier turn', async () => {
    expect(await callsAfter([user('Where is W2680071?'), model('On its way.'), user('Cancel it')])).toEqual([
      { name: 'cancel_order', args: { orderId: 'W2680071' } },
    ]);
  });

  it('tells what a tool answered, says once that it does not reason, and ends', async () => {
    const answered = [
      user('Show my orders'),
      call('list_orders'),
      answer('list_orders', { orders: [{ orderId: 'W1', total: 5 }] }),
    ];

    expect(await textAfter(answered)).toBe(`${INTRODUCTION}\nlist_orders found:\n- order id: W1, total: 5`);
    expect(await textAfter([model('Hello.'), ...answered])).toBe(
      'list_orders found:\n- order id: W1, total: 5',
    );
  });

  it('goes on to the next step where one was asked for, and stops at a step that failed', async () => {
    const before = [user('Show order W2611340, then cancel it'), call('get_order')];

    expect(await callsAfter([...before, answer('get_order', { status: 'ok' })])).toEqual([
      { name: 'cancel_order', args: { orderId: 'W2611340' } },
    ]);
    expect(await textAfter([...before, answer('get_order', { error: 'no database' })])).toContain(
      'get_order did not work: no database',
    );
  });

  it('lists what can be asked where nothing fits', async () => {
    const text = await textAfter([model('Hello.'), user('Sing a song')]);

    expect(text).toContain(
      'I found no tool for that. I can use:\n- verify_customer: Verify who the customer is.\n',
    );
  });

  it('hands over to the agent that the words fit, once', async () => {
    const transfer = declare('transfer_to_agent', 'Transfer to another agent.', {
      agent_name: { type: 'string' },
    });
    const request = requestOf([user('My invoice is wrong')], [transfer]);
    request.config = {
      ...request.config,
      systemInstruction:
        'Help.\n- be: kind\n\nHand over to:\n- billing: Invoices and payments.\n- travel: Trips.\nCall transfer_to_agent.',
    };

    const [response] = await all(request);
    expect(response?.content?.parts?.[0]?.functionCall).toEqual({
      name: 'transfer_to_agent',
      args: { agent_name: 'billing' },
    });

    request.contents = [
      ...request.contents,
      call('transfer_to_agent'),
      answer('transfer_to_agent', { result: null }),
    ];
    expect((await all(request))[0]?.content?.parts?.[0]?.functionCall).toBeUndefined();
  });

  it('calls a tool once for each id that was named', async () => {
    expect(await callsAfter([user('Where are W2680071 and w2611340?')])).toEqual([
      { name: 'track_order', args: { orderId: 'W2680071' } },
      { name: 'track_order', args: { orderId: 'W2611340' } },
    ]);
  });

  it('answers in the form that is asked for, by schema or by tool', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const request = requestOf([user('Is it cold in Oslo?')], []);
    const [response] = await all({ ...request, config: { responseJsonSchema: schema } });
    const byTool = declare('set_model_response', 'Give the final answer.', { city: { type: 'string' } });

    expect(textOf(response)).toBe('{"city":"Oslo"}');
    expect((await all(requestOf([user('Is it cold in Oslo?')], [byTool])))[0]?.content?.parts).toEqual([
      { functionCall: { name: 'set_model_response', args: { city: 'Oslo' } } },
    ]);
  });

  it('streams the text in pieces that add up to the whole, which comes last', async () => {
    const responses = await all({ ...requestOf([user('Hello')], []), stream: true });
    const pieces = responses.slice(0, -1);

    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every(({ partial }) => partial === true)).toBe(true);
    expect(pieces.map(textOf).join('')).toBe(textOf(responses.at(-1)));
    expect(responses.at(-1)).toMatchObject({
      finishReason: 'STOP',
      usageMetadata: { promptTokenCount: expect.any(Number) as number },
    });
  });

  it.each([
    'Remembered of \n- I prefer "window" seats, and to refund W2611340 with 5 cents',
    '[Summary of earlier conversation]\nThey asked to cancel order W2694415.',
    'Artifact "order.txt": cancel order W2694415',
    'Image "plot.png", written by the code:',
  ])('takes no request out of %j, which nobody has said', async (added) => {
    expect(await textAfter([user(added), user('Hello there')])).toContain('I found no tool for that.');
    expect(await textAfter([user('Hello there'), user(added)])).toContain('I found no tool for that.');
  });

  it('answers a message with the mark of an uploaded file, to an agent whose tool takes a list of texts', async () => {
    const names = { type: 'array', items: { type: 'string' } };
    const tools = [declare('load_artifacts', 'Loads artifacts.', { artifact_names: names })];
    const contents = [user('Please load [Uploaded Artifact: "receipt.png"] and "b.txt".')];
    const [response] = await all(requestOf(contents, tools));

    expect(response?.content?.parts).toEqual([
      { functionCall: { name: 'load_artifacts', args: { artifact_names: ['receipt.png', 'b.txt'] } } },
    ]);
  });

  it('stops streaming when it is cancelled', async () => {
    const controller = new AbortController();
    const responses = new OfflineModel().generate({
      ...requestOf([user('Hello')], []),
      stream: true,
      signal: controller.signal,
    });

    await responses.next();
    controller.abort();

    await expect(responses.next()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

/** Properties are required unless their name ends in a question mark. */
function declare(
  name: string,
  description: string,
  properties: Record<string, unknown>,
): FunctionDeclaration {
  const required = Object.keys(properties).filter((key) => !key.endsWith('?'));
  const plain = Object.entries(properties).map(([key, schema]) => [key.replace('?', ''), schema]);
  return {
    name,
    description,
    parametersJsonSchema: { type: 'object', properties: Object.fromEntries(plain), required },
  };
}

function requestOf(contents: Content[], declarations: FunctionDeclaration[] = TOOLS): ModelRequest {
  const config = declarations.length > 0 ? { tools: [{ functionDeclarations: declarations }] } : {};
  return { contents, config, stream: false, signal: new AbortController().signal };
}

async function all(request: ModelRequest): Promise<ModelResponse[]> {
  const responses: ModelResponse[] = [];
  for await (const response of new OfflineModel().generate(request)) responses.push(response);
  return responses;
}

async function callsAfter(contents: Content[]): Promise<unknown[]> {
  const [response] = await all(requestOf(contents));
  return (response?.content?.parts ?? []).map((part) => part.functionCall ?? part);
}

async function textAfter(contents: Content[]): Promise<string> {
  return textOf((await all(requestOf(contents)))[0]);
}

function textOf(response: ModelResponse | undefined): string {
  return (response?.content?.parts ?? []).map(({ text }) => text ?? '').join('');
}

function user(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

function model(text: string): Content {
  return { role: 'model', parts: [{ text }] };
}

function call(name: string): Content {
  return { role: 'model', parts: [{ functionCall: { name, args: {} } }] };
}

function answer(name: string, response: Record<string, unknown>): Content {
  return { role: 'user', parts: [{ functionResponse: { name, response } }] };
}
