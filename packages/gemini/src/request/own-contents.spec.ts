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

  it('gives the same list back where there is nothing of them', () => {
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }, { role: 'model' }];

    expect(toOwnContents(contents)).toBe(contents);
  });
});
