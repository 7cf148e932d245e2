import { EventStreamReader } from './event-stream.js';
import { withFinishedEvents } from './finished-events.js';

const A = '{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}';
const B = '{"candidates":[{"content":{"parts":[{"text":"é"}]}}]}';
const PLAIN = `data: ${A}\n\ndata: ${B}\n\n`;

/** The same two events, in every form that servers send. */
const FORMS: readonly (readonly [string, string])[] = [
  ['as Google sends them', `data: ${A}\r\n\r\ndata: ${B}\r\n\r\n`],
  ['with lines that end with CR', `data: ${A}\r\rdata: ${B}\r\r`],
  ['with a byte order mark', `\uFEFFdata: ${A}\n\ndata: ${B}\n\n`],
  ['without a blank after the colon', `data:${A}\n\ndata:${B}\n\n`],
  ['with comments as events', `: ping\n\ndata: ${A}\n\n:\n\ndata: ${B}\n\n`],
  ['with comments within events', `: ping\ndata: ${A}\n: ping\n\n: ping\ndata: ${B}\n\n`],
  ['with names', `event: message\ndata: ${A}\n\nevent: message\ndata: ${B}\n\n`],
  ['with names of a gateway', `event: chunk\ndata: ${A}\n\nevent: chunk\ndata: ${B}\n\n`],
  ['with ids and times', `id: 1\nretry: 10\ndata: ${A}\n\nid\ndata: ${B}\nid: 2\n\n`],
  ['with data in two lines', `data: {\ndata: ${A.slice(1)}\n\ndata: ${B.slice(0, -1)}\ndata: }\n\n`],
  ['with an end of another API', `${PLAIN}data: [DONE]\n\n`],
  [
    'with pings',
    `event: ping\ndata: {"type":"ping"}\n\n${PLAIN}event: ping\ndata: ping\n\ndata: {}\n\ndata:\n\n`,
  ],
  ['without a blank line at the end', `data: ${A}\n\ndata: ${B}`],
  ['with many blank lines', `\n\ndata: ${A}\n\n\n\n\ndata: ${B}\n\n\n`],
];

describe('the events of a stream', () => {
  it.each(FORMS)('reach @google/genai whole %s, however they are cut', async (_form, body) => {
    const bytes = Buffer.from(body);
    const cuts = Array.from({ length: bytes.length }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
    const single = Array.from(bytes, (byte) => Buffer.of(byte));

    for (const chunks of [...cuts, single])
      expect((await rewritten(chunks)).replaceAll(/(?<=\{) (?=")|(?<=\]) (?=\})/g, '')).toBe(PLAIN);
  });

  it.each([
    ['a bare error of several lines', `${PLAIN}{\n  "error": {\n    "code": 503 }\n}\n`, '{"code":503}'],
    ['a bare error without an end', '{"error":{"code":429}}', '{"code":429}'],
    ['an error whose code is a word', 'data: {"error":{"code":"overloaded"}}\n\n', '{"code":500}'],
    ['an error that is a text', 'data: {"error":"too busy"}\n\n', '{"message":"too busy","code":500}'],
    ['an event of the name error', 'event: error\ndata: too busy\n\n', '{"message":"too busy","code":500}'],
    ['an error of another shape', 'event: error\ndata: {"why":1}\n\n', '{"why":1,"code":500}'],
  ])('become an error that is recognised: %s', async (_what, body, error) => {
    const text = await rewritten([Buffer.from(body)]);

    expect(text.endsWith(`data: {"error":${error}}\n\n`)).toBe(true);
  });

  it.each([
    ['an event that is broken', 'event: chunk\ndata: {"candid\n\n', 'data: {"candid\n\n'],
    [
      'an error that is null',
      'data: {"error":null,"candidates":[]}\n\n',
      'data: {"error":null,"candidates":[]}\n\n',
    ],
    ['an object of another kind', 'data: {"this":"that"}\n\n', 'data: {"this":"that"}\n\n'],
    ['a page of a proxy', '<html>\n<p>Sorry</p>', 'data: <html>\n\n'],
  ])('are not dropped where they cannot be understood: %s', async (_what, body, passedOn) => {
    expect(await rewritten([Buffer.from(body)])).toBe(passedOn);
  });

  it.each([
    ['a comment', ': ping\n\n', 0],
    ['blank lines', '\n\n\n\n', 0],
    ['a ping', 'event: ping\ndata: {"type":"ping"}\n\n', 0],
    ['an empty object', 'data: {}\n\n', 0],
    ['half an event', 'data: {"candidates"', 0],
    ['a piece', `data: ${A}\n\n`, 1],
    ['two pieces', PLAIN, 2],
    ['usage alone, while the model thinks', 'data: {"usageMetadata":{}}\n\n', 1],
  ])('count as progress only where the model has made some: %s', async (_what, body, expected) => {
    let progress = 0;
    await rewritten([Buffer.from(body)], () => (progress += 1), false);

    expect(progress).toBe(expected);
  });

  it('are refused where one never ends', () => {
    const reader = new EventStreamReader(100);
    const piece = Buffer.from('data: xxxxxxxxxxxxxxxxxxxxxxxxx');

    expect(() => {
      for (let count = 0; count < 5; count += 1) reader.read(piece);
    }).toThrow('too long');
  });
});

/** @param isEnded false for a stream that stays open */
async function rewritten(
  chunks: readonly Buffer[],
  onProgress: () => void = () => undefined,
  isEnded = true,
): Promise<string> {
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = left.shift();
      if (chunk) controller.enqueue(chunk);
      else if (isEnded) controller.close();
      else controller.error(new Error('still open'));
    },
  });
  return withFinishedEvents(new Response(body), onProgress)
    .text()
    .catch(() => '');
}
