import { escapeInvisible } from './escape-invisible.js';

describe('escapeInvisible', () => {
  it('writes what would not be seen as an escape', () => {
    expect(escapeInvisible('a\u200bb\u00a0c\u3164d\u{e0041}e\u001bf g')).toBe(
      'a\\u200bb\\u00a0c\\u3164d\\u{e0041}e\\u001bf g',
    );
  });
});
