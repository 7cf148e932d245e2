import { deriveSource } from '../fixtures/temporary-project.js';

const SOURCE = `
import { tool } from 'adorn';

abstract class Base {
  @tool marked(a: string): void {}
  @tool abstract demanded(a: string): void;
  unmarked(a: string): void {}
  @tool held(a: string): void {}
}

export class Overriding extends Base {
  override marked(a: string): void;
  override marked(a: string): void {}
  override demanded(a: string): void {}
  override unmarked(a: string): void {}
  own(a: string): void {}
  @tool added(a: string): void {}
}

export class Twice extends Overriding {
  override marked(a: string): void {}
  override added(a: string): void {}
}

export abstract class Promising extends Base {
  abstract override marked(a: string): void;
}

export class Reading extends Base {
  override demanded(a: string): void {}
  // @ts-expect-error: a property where the base has a method
  override held = (a: string): void => {};
}
`;

describe('the tools of a class', () => {
  const { classes, faults } = deriveSource(SOURCE);

  it.each([
    ['are its own, and what overrides one of its base', 'Overriding', ['marked', 'demanded', 'added']],
    ['are what overrides one of a base of its base', 'Twice', ['marked', 'added']],
  ])('%s', (_what, name, tools) => {
    expect(Object.keys(classes[name]?.tools ?? {})).toEqual(tools);
  });

  it.each([
    ['a method without a body', 'Promising', []],
    ['a property', 'Reading', ['demanded']],
  ])('are not %s that overrides one', (_what, name, tools) => {
    expect(Object.keys(classes[name]?.tools ?? {})).toEqual(tools);
  });

  it('are none to complain of', () => {
    expect(faults).toEqual({});
  });
});
