import { baseOf, defineSlot, readMetadata, readOwnMetadata, updateOwnMetadata } from './class-metadata.js';

const WORDS = defineSlot<readonly string[]>({
  name: 'spec-words',
  empty: () => [],
  overlay: (inherited, own) => [...inherited, ...own],
});

describe('a slot of metadata on classes', () => {
  it('is empty on a class that was told nothing', () => {
    expect(readMetadata(Service, WORDS)).toEqual([]);
    expect(readOwnMetadata(Service, WORDS)).toBeUndefined();
  });

  it('adds to what the class was told before', () => {
    class Base extends Service {}
    say(Base, 'one');
    say(Base, 'two');

    expect(readMetadata(Base, WORDS)).toEqual(['one', 'two']);
  });

  it("lays a subclass's own over what it inherits, over bases that say nothing", () => {
    class Base extends Service {}
    class Middle extends Base {}
    class Leaf extends Middle {}
    say(Base, 'base');
    say(Leaf, 'leaf');

    expect([Base, Middle, Leaf].map((target) => readMetadata(target, WORDS))).toEqual([
      ['base'],
      ['base'],
      ['base', 'leaf'],
    ]);
    expect([Base, Middle, Leaf].map((target) => readOwnMetadata(target, WORDS))).toEqual([
      ['base'],
      undefined,
      ['leaf'],
    ]);
  });

  it('keeps what a subclass says from its base and its siblings', () => {
    abstract class Base extends Service {}
    class Left extends Base {}
    class Right extends Base {}
    say(Left, 'left');

    expect([Base, Left, Right].map((target) => readMetadata(target, WORDS))).toEqual([[], ['left'], []]);
  });

  it('sees what a base is told after the subclass', () => {
    class Base extends Service {}
    class Leaf extends Base {}
    say(Leaf, 'leaf');
    say(Base, 'base');

    expect(readMetadata(Leaf, WORDS)).toEqual(['base', 'leaf']);
  });

  it('is one slot for every copy of the package', () => {
    class Base extends Service {}
    say(Base, 'one');
    const twin = defineSlot<readonly string[]>({
      name: 'spec-words',
      empty: () => [],
      overlay: (_, own) => own,
    });

    expect(twin.key).toBe(Symbol.for('adorn:spec-words'));
    expect(readMetadata(Base, twin)).toEqual(['one']);
  });

  it('is apart from slots of other names', () => {
    class Base extends Service {}
    say(Base, 'one');
    const other = defineSlot<readonly string[]>({
      name: 'spec-other',
      empty: () => [],
      overlay: (_, own) => own,
    });

    expect(readMetadata(Base, other)).toEqual([]);
  });
});

describe('baseOf', () => {
  it('gives the class that a class extends, and nothing where it extends none', () => {
    class Base extends Service {}
    class Leaf extends Base {}
    class Rootless extends (null as unknown as new () => object) {}

    expect([Leaf, Base, Service, Rootless].map((target) => baseOf(target))).toEqual([
      Base,
      Service,
      undefined,
      undefined,
    ]);
  });
});

/** Told nothing, in any of the specs. */
class Service {
  readonly kind: string = 'service';
}

function say(target: abstract new () => object, word: string): void {
  updateOwnMetadata(target, WORDS, (words) => [...words, word]);
}
