import { type ArgumentSource, bindArguments, Signature } from './bind-arguments.js';
import type { ToolContext } from './tool-context.js';

describe('bindArguments', () => {
  it('lays arguments out in the order of the signature, whatever order the model gave them in', async () => {
    expect(await bound([argument('id'), argument('cents')], { cents: 500, id: 'A-17' })).toEqual([
      'A-17',
      500,
    ]);
  });

  it('leaves an absent optional argument undefined, so that a default takes hold', async () => {
    expect(await bound([argument('city'), argument('days')], { city: 'Oslo' })).toEqual(['Oslo', undefined]);
  });

  it('spreads a rest parameter, and spreads nothing where it is absent', async () => {
    const sources: ArgumentSource[] = [argument('first'), { kind: 'argument', name: 'others', rest: true }];

    expect(await bound(sources, { first: 'a', others: ['b', 'c'] })).toEqual(['a', 'b', 'c']);
    expect(await bound(sources, { first: 'a' })).toEqual(['a']);
  });

  it('fills in the context wherever it stands', async () => {
    expect(await bound([{ kind: 'context' }, argument('id')], { id: 1 })).toEqual([context, 1]);
    expect(
      await bound([argument('id'), { kind: 'context' }, argument('cents')], { id: 1, cents: 2 }),
    ).toEqual([1, context, 2]);
    expect(await bound([argument('id'), { kind: 'context' }], { id: 1 })).toEqual([1, context]);
  });

  it('fills in the signal of the call, and undefined where a predicate is asked', async () => {
    const sources: ArgumentSource[] = [argument('id'), { kind: 'signal' }];

    expect(await bound(sources, { id: 1 })).toEqual([1, context.signal]);
    expect(await bindArguments(new Signature('refund', sources), { id: 1 }, context, true)).toEqual([
      1,
      undefined,
    ]);
  });

  it('gives all the arguments as one object to a method that destructures its only one', async () => {
    expect(await bound([{ kind: 'arguments' }, { kind: 'context' }], { id: 1, cents: 2 })).toEqual([
      { id: 1, cents: 2 },
      context,
    ]);
  });

  it('gives copies, so that a method that changes its arguments does not change the log', async () => {
    const args = { order: { lines: [1] }, tags: ['a'] };
    const [order, tags] = (await bound([argument('order'), argument('tags')], args)) as [
      typeof args.order,
      string[],
    ];
    const [whole] = (await bound([{ kind: 'arguments' }], args)) as [typeof args];

    order.lines.push(2);
    tags.push('b');
    whole.order.lines.push(3);

    expect(args).toEqual({ order: { lines: [1] }, tags: ['a'] });
  });
});

const context = { signal: new AbortController().signal } as ToolContext;

function argument(name: string): ArgumentSource {
  return { kind: 'argument', name };
}

function bound(sources: readonly ArgumentSource[], args: Record<string, unknown>): Promise<unknown[]> {
  return bindArguments(new Signature('refund', sources), args, context);
}
