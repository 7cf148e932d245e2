import { joinText } from './content-parts.js';

describe('joinText', () => {
  it('joins the texts and leaves out thoughts and what is no text', () => {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'It is ' },
      { functionCall: { name: 'a' } },
      { text: '' },
      { text: 'noon.', thought: false },
    ];

    expect(joinText({ role: 'model', parts })).toBe('It is noon.');
  });

  it.each([[undefined], [{}], [{ parts: [] }], [{ parts: [{ text: 'Hm.', thought: true }] }]])(
    'is empty for %j',
    (content) => {
      expect(joinText(content)).toBe('');
    },
  );
});
