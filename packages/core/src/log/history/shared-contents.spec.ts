import type { Content } from '../../content/genai-types.js';
import { ALWAYS_COPIED, type ContentsView, SharedContents } from './shared-contents.js';

const [ADDED, NEXT] = ['added', 'next'].map(said) as [Content, Content];

describe('SharedContents', () => {
  it('lends its list, and grows in place once nobody reads it', () => {
    const { shared, view, list } = lent();
    view.release();

    expect(shared.push(NEXT)).toBe(list.length - 1);

    const later = shared.view();
    expect(later.lend() === list).toBe(true);
  });

  it('gives no list out that is short enough to be copied', () => {
    const shared = sharedOf(ALWAYS_COPIED);

    expect(shared.view().lend()).toBeUndefined();
  });

  it('leaves a lent list as it was, and continues with a copy', () => {
    const { shared, view, list, before } = lent();

    shared.push(NEXT);
    view.release();
    shared.push(ADDED);

    expect(list).toEqual(before);
    expect(shared.slice(0)).toEqual([...before, NEXT, ADDED]);
  });

  it('keeps a list lent until every reader has released it', () => {
    const { shared, view, list, before } = lent();
    const other = shared.view();
    expect(other.lend() === list).toBe(true);
    view.release();
    view.release();

    shared.push(NEXT);

    expect(list).toEqual(before);
  });

  it('is lent once for a request that reads it twice', () => {
    const { shared, view, list } = lent();
    view.lend();
    view.release();

    shared.push(NEXT);

    expect(shared.view().lend() === list).toBe(true);
  });

  it('replaces a content and clears itself in a copy', () => {
    const { shared, view, list, before } = lent();
    shared.replace(0, NEXT);
    const replaced = shared.view();
    const second = replaced.lend();
    shared.clear();
    view.release();

    expect(list).toEqual(before);
    expect(second).toEqual([NEXT, ...before.slice(1)]);
    expect([shared.length, shared.slice(0), shared.at(0)]).toEqual([0, [], undefined]);
  });

  it('is still lent to others when a list that it gave up is released', () => {
    const { shared, view } = lent();
    shared.replace(0, NEXT);
    const list = shared.view().lend();
    const before = [...(list ?? [])];
    view.release();

    shared.push(NEXT);

    expect(list).toEqual(before);
  });
});

describe('a view of shared contents', () => {
  it('is what they were when it was made', () => {
    const shared = sharedOf(2);
    const view = shared.view();
    shared.push(NEXT);
    shared.replace(0, NEXT);

    expect(view.copy()).toEqual([said('0'), said('1')]);
  });

  it('is not lent where the list has grown since', () => {
    const shared = sharedOf(ALWAYS_COPIED + 1);
    const view = shared.view();
    shared.push(NEXT);

    expect(view.lend()).toBeUndefined();
    expect(view.copy()).toHaveLength(ALWAYS_COPIED + 1);
  });

  it('is not lent again after its release', () => {
    const { view } = lent();
    view.release();

    expect(view.lend()).toBeUndefined();
  });

  it('adds contents of its own, which the history and other views do not have', () => {
    const { shared, view, list, before } = lent(ADDED);

    expect(list).toEqual([...before, ADDED]);
    expect([shared.length, shared.at(before.length), shared.slice(0)]).toEqual([
      before.length,
      undefined,
      before,
    ]);
    expect(shared.slice(1, list.length)).toEqual(before.slice(1));
    const other = shared.view();
    expect([other.lend(), other.copy()]).toEqual([undefined, before]);
    view.release();
    expect(list).toEqual(before);
    expect(view.copy()).toEqual([...before, ADDED]);
  });

  it('keeps its own contents in a lent list that the history has left', () => {
    const { shared, view, list, before } = lent(ADDED);

    shared.push(NEXT);

    expect(list).toEqual([...before, ADDED]);
    expect(shared.slice(0)).toEqual([...before, NEXT]);
    view.release();
    expect(shared.slice(0)).toEqual([...before, NEXT]);
  });

  it('is not lent with contents of its own while others read the list, or where the history has left it', () => {
    const { shared, list, before } = lent();
    const second = viewWith(shared, ADDED);
    expect(second.lend()).toBeUndefined();
    shared.replace(0, NEXT);

    expect(second.lend()).toBeUndefined();
    expect(second.copy()).toEqual([...before, ADDED]);
    expect(list).toEqual(before);
  });
});

function lent(...added: readonly Content[]) {
  const shared = sharedOf(ALWAYS_COPIED + 1);
  const before = shared.slice(0);
  const view = viewWith(shared, ...added);
  const list = view.lend();
  if (list === undefined) throw new Error('The list was not lent.');
  return { shared, view, list, before };
}

function viewWith(shared: SharedContents, ...added: readonly Content[]): ContentsView {
  const view = shared.view();
  for (const content of added) view.append(content);
  return view;
}

function sharedOf(length: number): SharedContents {
  const shared = new SharedContents();
  for (let index = 0; index < length; index++) shared.push(said(String(index)));
  return shared;
}

function said(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}
