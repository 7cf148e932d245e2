import { pageTitle } from './page-title.js';

describe('pageTitle', () => {
  it('is the text of the first heading', () => {
    expect(pageTitle('# Calls of `adorn check`\n\n# Another\n', 'a.md')).toBe('Calls of adorn check');
    expect(pageTitle('Text\n\n# [A](a.md) link\n', 'a.md')).toBe('A link');
  });

  it('fails with the name of the page that has none', () => {
    expect(() => pageTitle('## Smaller\n', 'packages/docs/a.md')).toThrow(
      'packages/docs/a.md has no heading',
    );
  });
});
