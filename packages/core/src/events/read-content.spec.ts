import type { Content, Part } from './genai-types.js';
import { type ContentFault, readContent } from './read-content.js';

const CALL: Part = { functionCall: { id: 'c1', name: 'look', args: { a: null, list: [{ b: null }] } } };
const SIGNED: Part = { text: '', thought: true, thoughtSignature: 'c2ln' };

describe('readContent', () => {
  it.each<[string, Content]>([
    ['texts and calls', { role: 'model', parts: [{ text: 'Hi' }, SIGNED, CALL] }],
    ['a response', { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', response: {} } }] }],
    ['bytes', { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAH+' } }] }],
    ['absent fields', { role: 'model', parts: [{ text: 'Hi', functionCall: undefined }] }],
    ['no parts', { role: 'model', parts: [] }],
  ])('returns the same object for %s', (_what, content) => {
    expect(readContent(content)).toBe(content);
  });

  it('leaves out null fields, unknown fields and empty parts, at every level of a part', () => {
    const read = readContent({
      role: 'model',
      unknown: 1,
      parts: [
        null,
        { text: 'Hello', functionCall: null, functionResponse: null, thoughtSignature: null },
        {},
        { functionCall: { id: null, name: 'look', args: { kept: null }, extra: 1 } },
        { functionResponse: { name: 'look', response: null, parts: [null, { inlineData: { data: null } }] } },
        { inlineData: { data: null } },
        undefined,
      ],
    });

    expect(read).toEqual({
      role: 'model',
      parts: [
        { text: 'Hello' },
        { functionCall: { name: 'look', args: { kept: null } } },
        { functionResponse: { name: 'look', parts: [] } },
      ],
    });
  });

  it.each([null, undefined, 'text', 12, [], true])('reads %j as no content', (value) => {
    expect(readContent(value)).toBeUndefined();
  });

  it('does not change what it reads', () => {
    const part = { text: 'Hello', functionCall: null };
    const given = { role: 'user', parts: [part] };

    readContent(given);

    expect(given).toEqual({ role: 'user', parts: [{ text: 'Hello', functionCall: null }] });
  });

  it.each<[field: string, wanted: string, found: string, part: unknown]>([
    ['part.text', 'a text', 'a number', { text: 12 }],
    ['part.functionCall', 'an object', 'a text', { functionCall: 'look' }],
    ['functionCall.name', 'a text', 'an object', { functionCall: { name: {} } }],
    ['functionCall.args', 'an object', 'a list', { functionCall: { args: [1] } }],
    ['functionResponse.response', 'an object', 'a text', { functionResponse: { response: 'x' } }],
    ['functionResponse.parts', 'a list', 'an object', { functionResponse: { parts: {} } }],
    ['part', 'an object', 'a number', 1],
  ])('tells of a %s that is not %s but %s, and leaves it out', (field, wanted, found, part) => {
    const faults: ContentFault[] = [];

    const read = readContent({ parts: [part, { text: 'kept' }] }, (fault) => void faults.push(fault));

    expect(faults).toMatchObject([{ field, wanted, found }]);
    expect(read?.parts?.at(-1)).toEqual({ text: 'kept' });
  });

  it.each<[string, unknown, string]>([
    ['10,000 levels', nested(10_000), 'more than 200 levels'],
    ['201 levels', nested(200), 'more than 200 levels'],
    ['a cycle', cycle(), 'a cycle'],
    ['a bigint', { a: 1n }, 'a bigint'],
    ['a getter that throws', { a: { toJSON: () => fail() } }, 'one that throws'],
  ])('leaves out arguments that hold %s', (_what, args, reason) => {
    const faults: ContentFault[] = [];

    const read = readContent({ parts: [{ functionCall: { name: 'look', args } }] }, (fault) => {
      faults.push(fault);
    });

    expect(read).toEqual({ parts: [{ functionCall: { name: 'look' } }] });
    expect(faults[0]?.found).toContain(reason);
  });

  it('keeps arguments of 200 levels', () => {
    const content = { parts: [{ functionCall: { name: 'look', args: nested(199) } }] };

    expect(readContent(content)).toBe(content);
  });

  it('writes what JSON has a form for in that form', () => {
    const args = { at: new Date(0), gone: undefined, count: NaN };

    expect(readContent({ parts: [{ functionCall: { name: 'look', args } }] })).toEqual({
      parts: [{ functionCall: { name: 'look', args: { at: '1970-01-01T00:00:00.000Z', count: null } } }],
    });
  });

  it('takes no field from a prototype, and none that is called __proto__ or toJSON', () => {
    const inherited = Object.create({ functionCall: { name: 'wipe' } }) as object;
    const part = Object.assign(inherited, { text: 'Hi', toJSON: () => ({ functionCall: { name: 'wipe' } }) });
    const named: unknown = JSON.parse('{"text":"Hi","__proto__":{"functionCall":{"name":"wipe"}}}');

    const read = readContent({ parts: [part, named] });

    expect(JSON.parse(JSON.stringify(read))).toEqual({ parts: [{ text: 'Hi' }, { text: 'Hi' }] });
    expect(read?.parts?.map(({ functionCall }) => functionCall)).toEqual([undefined, undefined]);
  });
});

/** An object with so many objects inside one another. */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function cycle(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function fail(): never {
  throw new Error('unreadable');
}
