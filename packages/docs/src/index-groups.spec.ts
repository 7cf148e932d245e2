import { readIndexGroups } from './index-groups.js';

const INDEX = `# Documents

Words with a [link](elsewhere.md).

- [Above other headings](above.md): of the page.

## Start

1. [First program](first-program.md): from nothing.

## Nothing here

Text.

### To look things up

- [Errors](errors.md): all of them, and [more](more.md).
- [Core](../core/README.md): its README.
- [GitHub](https://github.com): no page.
`;

describe('readIndexGroups', () => {
  it('reads the pages below each heading, by their paths in the repository', () => {
    expect(readIndexGroups(INDEX, 'packages/docs/README.md')).toEqual([
      { title: 'Documents', pages: ['packages/docs/above.md'] },
      { title: 'Start', pages: ['packages/docs/first-program.md'] },
      { title: 'To look things up', pages: ['packages/docs/errors.md', 'packages/core/README.md'] },
    ]);
  });
});
