import type { Content } from '../../content/genai-types.js';
import { SharedContents } from './shared-contents.js';

const [ONE, TWO, THREE] = ['1', '2', '3'].map((text): Content => ({ role: 'user', parts: [{ text }] })) as [
  Content,
  Content,
  Content,
];

describe('SharedContents', () => {
  it('grows in place while nobody reads it', () => {
    const { shared, list } = lent(ONE);
    shared.giveBack(list);

    expect(shared.push(TWO)).toBe(1);

    expect([shared.current === list, list]).toEqual([true, [ONE, TWO]]);
  });

  it('leaves a list that is on loan as it was, and goes on with a copy', () => {
    const { shared, list } = lent(ONE);

    shared.push(TWO);
    shared.giveBack(list);
    shared.push(THREE);

    expect([list, shared.current]).toEqual([[ONE], [ONE, TWO, THREE]]);
  });

  it('stays on loan until every reader has given it back', () => {
    const { shared, list } = lent(ONE);
    shared.borrow();
    shared.giveBack(list);

    shared.push(TWO);

    expect(list).toEqual([ONE]);
  });

  it('replaces and clears in a copy, and takes no list back that is not its own any more', () => {
    const { shared, list } = lent(ONE, TWO);
    shared.replace(0, THREE);
    const replaced = shared.borrow();
    shared.giveBack(list);
    shared.clear();

    expect([list, replaced, shared.current]).toEqual([[ONE, TWO], [THREE, TWO], []]);
    const empty = shared.borrow();
    shared.giveBack(replaced);
    shared.push(ONE);
    expect(empty).toEqual([]);
  });
});

function lent(...contents: readonly Content[]) {
  const shared = new SharedContents();
  for (const content of contents) shared.push(content);
  return { shared, list: shared.borrow() };
}
