import { referencePages } from './reference-pages.js';

describe('referencePages', () => {
  const pages = new Map([
    ['a.md', '# A\n\n## run()\n\n## run()\n\n[second](#run-1) [third](#run-2)\n'],
    ['b/b.md', '# B\n\n[second](../a.md#run-1) [lost](../a.md#stop-1) [none](../a.md)\n'],
  ]);
  const shown = referencePages(pages);

  it('have no link for editing', () => {
    expect([...shown.values()].every((text) => text.startsWith('---\neditLink: false\n---\n'))).toBe(true);
  });

  it('have no anchors as text in their tables', () => {
    const table = '| Property | Type |\n| ------ | ------ |\n| <a id="a"></a> `a?` | `number` |\n';

    expect(referencePages(new Map([['c.md', table]])).get('c.md')).toContain('\n| `a?` | `number` |\n');
  });

  it('lead from a name in a table to the declaration above it', () => {
    const declared =
      '### Options\n\n#### Properties\n\n| Property |\n| ------ |\n| <a id="property-a"></a> `a?` |\n';
    const linking = '[a](d.md#property-a)\n';
    const found = referencePages(new Map(Object.entries({ 'd.md': declared, 'e.md': linking })));

    expect(found.get('e.md')).toContain('[a](d.md#options)');
  });

  it('keep a number that a heading has, and lose one that is too high', () => {
    expect(shown.get('a.md')).toContain('[second](#run-1) [third](#run)');
    expect(shown.get('b/b.md')).toContain('[second](../a.md#run-1) [lost](../a.md#stop) [none](../a.md)');
  });
});
