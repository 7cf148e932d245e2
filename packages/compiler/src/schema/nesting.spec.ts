import { ts } from '../typescript.js';
import { Nesting, type TooMuch } from './nesting.js';

/** An error with what is too much. */
class GivenUp extends Error {
  constructor({ reason, cure }: TooMuch) {
    super(`${reason} ${cure}`);
  }
}

describe('a walk through types', () => {
  const { text, box, other, either } = realTypes();

  it('goes 41 times into one declaration, and says of the next that it expands without an end', () => {
    expect(deep(41, () => box)).toBe('arrived');
    expect(() => deep(42, () => box)).toThrow(
      new GivenUp({ reason: 'it expands without an end.', cure: 'Write a type that ends.' }),
    );
  });

  it('counts an alias, which may have no declaration of a type', () => {
    expect(() => deep(42, () => either)).toThrow('it expands without an end.');
  });

  it('counts each declaration by itself', () => {
    expect(deep(82, (level) => (level % 2 === 0 ? box : other))).toBe('arrived');
    expect(() => deep(83, (level) => (level % 2 === 0 ? box : other))).toThrow('it expands without an end.');
  });

  it('goes 151 types deep, and says of the next that it is nested too deeply', () => {
    expect(deep(151, () => text)).toBe('arrived');
    expect(() => deep(152, () => text)).toThrow(
      new GivenUp({ reason: 'it is nested too deeply.', cure: 'Write a flatter type.' }),
    );
  });

  it('goes through 20,000 types, and says of the next that it is too much to read', () => {
    const nesting = new Nesting();
    const visit = (): number => nesting.inside(box, () => 1, giveUp);

    expect(Array.from({ length: 20_000 }, visit)).toHaveLength(20_000);
    expect(visit).toThrow(
      new GivenUp({
        reason: 'its schema would be larger than any model reads.',
        cure: 'Write an interface of what the tool needs of it.',
      }),
    );
  });

  it('comes out of a type again, also by an error', () => {
    const nesting = new Nesting();
    const fail = (): never => {
      throw new Error('refused');
    };
    for (const type of Array.from({ length: 200 }, () => [text, box]).flat()) {
      expect(() => nesting.inside(type, fail, giveUp)).toThrow('refused');
    }

    expect(deep(41, () => box, nesting)).toBe('arrived');
    expect(deep(151, () => text, nesting)).toBe('arrived');
  });
});

function giveUp(tooMuch: TooMuch): Error {
  return new GivenUp(tooMuch);
}

/** Goes so many types deep, each inside of the one before. */
function deep(levels: number, typeAt: (level: number) => ts.Type, nesting = new Nesting()): string {
  const enter = (level: number): string =>
    level === levels ? 'arrived' : nesting.inside(typeAt(level), () => enter(level + 1), giveUp);
  return enter(0);
}

/** Types of a program without a library: nothing here needs one. */
function realTypes(): Readonly<Record<'text' | 'box' | 'other' | 'either', ts.Type>> {
  const source = 'interface Box {}\ninterface Other {}\ntype Either = string | Box;\ntype Text = string;';
  const host = ts.createCompilerHost({ noLib: true });
  host.fileExists = (path) => path === 'types.ts';
  host.readFile = () => source;
  const program = ts.createProgram(['types.ts'], { noLib: true }, host);
  const checker = program.getTypeChecker();
  const [box, other, either, text] = (program.getSourceFile('types.ts')?.statements ?? []).map((one) =>
    checker.getTypeAtLocation(one),
  );
  if (!text || !box || !other || !either) throw new Error('the source declares too little');
  return { text, box, other, either };
}
