import type { Content } from '@google/genai';

import { toOwnContents } from './gemini-contents.js';

describe('toOwnContents', () => {
  const partMetadata = { aiSdk: { anthropic: { signature: 's' } } };

  it('leaves out thoughts, server-side calls and metadata of other providers', () => {
    const said = { role: 'user', parts: [{ text: 'x' }] };
    const own = { text: 'mine', thought: true, thoughtSignature: 'c2ln' };

    const contents = toOwnContents([
      said,
      { role: 'model', parts: [{ text: 'theirs', thought: true, partMetadata }] },
      { role: 'model', parts: [{ toolCall: { id: 'a' }, partMetadata }, { text: 'y', partMetadata }, own] },
    ]);

    expect(contents).toEqual([said, { role: 'model', parts: [{ text: 'y' }, own] }]);
    expect(contents[0]).toBe(said);
  });

  it('gives calls of MCP servers that Gemini has run back as functions, and its own tools as they are', () => {
    const search = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB' } };
    const parts = [
      { toolCall: { id: 'c1', toolType: 'refund', args: { cents: 5 } }, thoughtSignature: 'c2ln' },
      { toolResponse: { id: 'c1', toolType: 'refund', response: { ok: true } } },
      search,
    ];

    const contents = toOwnContents([{ role: 'model', parts } as unknown as Content]);

    expect(contents[0]?.parts).toEqual([
      { functionCall: { id: 'c1', name: 'refund', args: { cents: 5 } }, thoughtSignature: 'c2ln' },
      { functionResponse: { id: 'c1', name: 'refund', response: { ok: true } } },
      search,
    ]);
  });

  it('gives the same list back where there is nothing of them', () => {
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }, { role: 'model' }];

    expect(toOwnContents(contents)).toBe(contents);
  });
});
