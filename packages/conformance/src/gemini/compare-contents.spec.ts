import { faultOfContents } from './compare-contents.js';
import type { RecordedContent } from './gemini-json.js';

const call = { functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 's' };
const response = { functionResponse: { name: 'add', response: { sum: 1 } } };
const contents: RecordedContent[] = [
  { role: 'user', parts: [{ text: 'Add.' }] },
  { role: 'model', parts: [{ text: 'I ' }, { text: 'add.' }, call] },
  { role: 'user', parts: [response] },
];

describe('faultOfContents', () => {
  it('finds nothing wrong with equal contents, in whatever order their keys are', () => {
    expect(faultOfContents(contents, JSON.parse(JSON.stringify(contents)), false)).toBe(undefined);
  });

  it.each([
    [
      'a lost signature',
      partOf(1, 2, { functionCall: call.functionCall }),
      '$.contents[1].parts[2].thoughtSignature',
    ],
    [
      'an id',
      partOf(1, 2, { ...call, functionCall: { ...call.functionCall, id: 'adk-1' } }),
      'functionCall.id',
    ],
    [
      'another name',
      partOf(2, 0, { functionResponse: { ...response.functionResponse, name: 'sum' } }),
      '.name',
    ],
    [
      'another answer',
      partOf(2, 0, { functionResponse: { name: 'add', response: { sum: 2 } } }),
      '.response.sum',
    ],
    ['a lost content', contents.slice(0, 2), '$.contents: expected 3 entries, got 2'],
    ['another role', contents.map((content) => ({ ...content, role: 'user' })), '$.contents[1].role'],
    ['nothing at all', undefined, '$.contents: expected 3 entries, got 0'],
  ])('finds %s', (_what, sent, fault) => {
    expect(faultOfContents(contents, sent, false)).toContain(fault);
  });

  it('expects the contents of a recording without their empty texts', () => {
    const signed = { role: 'model', parts: [{ text: '', thoughtSignature: 's' }] };
    const recorded = [{ role: 'model', parts: [{ text: '' }] }, signed, ...contents];

    expect(faultOfContents(recorded, [signed, ...contents], false)).toBe(undefined);
    expect(faultOfContents(recorded, recorded, false)).toContain('$.contents: expected 4 entries, got 5');
    expect(faultOfContents(recorded, contents, false)).toContain('$.contents: expected 4 entries, got 3');
  });

  it('lets a streamed text be cut elsewhere, and nothing else differ', () => {
    const joined = [contents[0], { role: 'model', parts: [{ text: 'I add.' }, call] }, contents[2]];
    const chunked = [
      contents[0],
      { role: 'model', parts: [{ text: 'I add.' }] },
      { role: 'model', parts: [call] },
      contents[2],
    ];

    expect(faultOfContents(contents, joined, false)).toContain('$.contents[1].parts');
    expect(faultOfContents(contents, joined, true)).toBe(undefined);
    expect(faultOfContents(contents, chunked, true)).toBe(undefined);
    expect(faultOfContents(contents, joined.toReversed(), true)).toContain('$.contents[0]');
    expect(faultOfContents(contents, partOf(1, 0, { text: 'We ' }), true)).toContain(
      '$.contents[1].parts[0].text',
    );
  });
});

/** The contents with one part replaced. */
function partOf(content: number, part: number, replacement: unknown): unknown {
  return contents.map((each, index) => {
    const parts = [...(each.parts ?? [])] as unknown[];
    if (index === content) parts[part] = replacement;
    return { ...each, parts };
  });
}
