import { toVertexContents } from './gemini-contents.js';

describe('toVertexContents', () => {
  it('takes away the mark Vertex AI does not know, and touches nothing else', () => {
    const pending = { functionResponse: { name: 'a', response: { status: 'pending' }, willContinue: true } };
    const said = { role: 'user', parts: [{ text: 'x' }] };

    const contents = toVertexContents([said, { role: 'user', parts: [{ text: 'y' }, pending] }]);

    expect(contents).toEqual([
      said,
      {
        role: 'user',
        parts: [{ text: 'y' }, { functionResponse: { name: 'a', response: { status: 'pending' } } }],
      },
    ]);
    expect(contents[0]).toBe(said);
    expect(pending.functionResponse.willContinue).toBe(true);
  });

  it('gives the same list back where there is no such mark', () => {
    const contents = [{ role: 'user', parts: [{ text: 'x' }] }, { role: 'model' }];

    expect(toVertexContents(contents)).toBe(contents);
  });
});
