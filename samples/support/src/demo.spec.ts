import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { chat } from '@adorn/cli';
import { OfflineModel, startGeminiEmulator } from '@adorn/testing';
import { createRunner, GeminiModel, type Model } from 'adorn';

import { answersOffline } from './answers-offline.js';
import { Support } from './support.agent.js';

const DEMO = fileURLToPath(new URL('../demo.txt', import.meta.url));

/** The demo's calls, questions and results, in order. */
const MARKS = [
  '→ verify_customer(email: "ada.keller@example.com", postcode: "10969")',
  '← ok',
  '→ list_orders()',
  '← ok',
  '→ track_order(orderId: "W2680071")',
  '← ok',
  '→ search_products(query: "desk lamps", maxCents: 6000)',
  '← ok',
  '→ refund_order(orderId: "W2611340", cents: 3990, reason: "damaged")',
  '? Refund 39.90 EUR for order W2611340 to the account that paid for it?',
  '← ok',
  '→ cancel_order(orderId: "W2694415")',
  '? Approve execution of tool `cancel_order`?',
  '← error',
  '→ get_order(orderId: "W2694415")',
  '← ok',
];

describe('the demo', () => {
  // The tools' schemas are derived from the sources once, which takes its seconds, and cached.
  beforeAll(async () => {
    await (await createRunner(Support, { model: new OfflineModel() })).close();
  }, 60_000);

  it('plays on the offline model: calls, an approval, a refusal, answers, and no fault', async () => {
    const { written, faults } = await play(new OfflineModel());

    expect(faults).toBe(0);
    expect(marksOf(written)).toEqual(MARKS);
    expect(written).toContain('cancel_order was declined, so it was not done: Ada wants to think');
    expect(written).toContain('customer_name = "Ada Keller"');
  });

  it('plays the same over HTTP', async () => {
    await using gemini = await startGeminiEmulator(answersOffline);

    const { written, faults } = await play(new GeminiModel({ apiKey: 'test', baseUrl: gemini.url }));

    expect(faults).toBe(0);
    expect(marksOf(written)).toEqual(MARKS);
    expect(gemini.requests).toHaveLength(14);
  });
});

async function play(model: Model): Promise<{ written: string; faults: number }> {
  const output = new PassThrough();
  let written = '';
  output.on('data', (piece: Buffer) => (written += piece.toString()));
  await using runner = await createRunner(Support, { model });
  const { faults } = await chat(runner, { script: DEMO, output });
  return { written, faults };
}

/** The lines of calls, of questions and, in a word, of results. */
function marksOf(written: string): string[] {
  const marks = written.split('\n').filter((line) => /^[→←?] /.test(line));
  return marks.map((line) => (line.startsWith('←') ? `← ${outcomeOf(line)}` : line));
}

function outcomeOf(line: string): string {
  return /status: "(\w+)"/.exec(line)?.[1] ?? (line.includes('error') ? 'error' : line);
}
