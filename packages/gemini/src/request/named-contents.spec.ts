import type { Content } from '@google/genai';

import { toNamedContents } from './gemini-contents.js';

describe('the names of calls in contents', () => {
  it('are those that Gemini accepts, the same in a call and its response', () => {
    const names = ['', 'no such tool!', '1st', 'a'.repeat(100), 'mail.send', 'look'];
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: names.map((name) => ({ functionCall: { name, args: {} } })) },
      { role: 'user', parts: names.map((name) => ({ functionResponse: { name, response: {} } })) },
    ];

    const [, calls, responses] = toNamedContents(contents);

    const called = calls?.parts?.map(({ functionCall }) => functionCall?.name) ?? [];
    for (const name of called) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/);
    expect(new Set(called).size).toBe(names.length);
    expect(called.slice(-2)).toEqual(['mail.send', 'look']);
    expect(responses?.parts?.map(({ functionResponse }) => functionResponse?.name)).toEqual(called);
  });

  it('are left as they are without a copy where all are accepted', () => {
    const contents = [{ role: 'model', parts: [{ functionCall: { name: 'mail.send', args: {} } }] }];

    expect(toNamedContents(contents)).toBe(contents);
  });
});
