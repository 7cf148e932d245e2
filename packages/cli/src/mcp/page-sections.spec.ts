import { sectionsOf } from './page-sections.js';

describe('sectionsOf', () => {
  it('splits a page at its headings, and takes no line of a program for one', () => {
    const page = '# Undo\n\nIntro.\n\n```sh\n# a comment\n```\n\n## Of a tool\n\nText.\n';

    expect(sectionsOf('undo.md', page)).toEqual([
      {
        path: 'undo.md',
        title: 'Undo',
        heading: 'Undo',
        text: '# Undo\n\nIntro.\n\n```sh\n# a comment\n```',
      },
      { path: 'undo.md', title: 'Undo', heading: 'Of a tool', text: '## Of a tool\n\nText.' },
    ]);
  });

  it('gives a page without a heading one section', () => {
    expect(sectionsOf('a.md', 'Text.')).toEqual([
      { path: 'a.md', title: 'a.md', heading: 'a.md', text: 'Text.' },
    ]);
  });
});
