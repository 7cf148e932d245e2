import { ForeignObject } from './foreign-object.js';

const READ: readonly (readonly [string, (from: ForeignObject) => unknown])[] = [
  ['text', (from) => from.text('f')],
  ['number', (from) => from.number('f')],
  ['flag', (from) => from.flag('f')],
  ['bytes', (from) => from.bytes('f')],
  ['object', (from) => from.object('f')?.fields],
  ['objects', (from) => from.objects('f').map(({ fields }) => fields)],
  ['texts', (from) => from.texts('f')],
];
const VALUES = ['aGk', 'a', 5, true, { a: 1 }, [{ a: 1 }], ['b'], [], [null]];
/** Which values each kind of field may have. */
const FITS: Readonly<Record<string, readonly unknown[]>> = {
  text: ['aGk', 'a'],
  number: [5],
  flag: [true],
  bytes: ['aGk'],
  object: [{ a: 1 }],
  objects: [[{ a: 1 }], []],
  texts: [['b'], []],
};

describe('ForeignObject', () => {
  it.each(READ)('reads %s, and refuses every other value with its place', (kind, read) => {
    for (const value of VALUES) {
      const from = ForeignObject.read({ f: value }, 'the event');
      const fits = FITS[kind]?.some((one) => JSON.stringify(one) === JSON.stringify(value)) === true;
      if (!fits) expect(() => read(from)).toThrow(/^the event\.f(\[0\])? is /);
      else expect(read(from)).toEqual(kind === 'bytes' ? Buffer.from('hi') : value);
    }
  });

  it.each(READ)('reads no %s where it is absent or null', (kind, read) => {
    const nothing = kind === 'objects' || kind === 'texts' ? [] : undefined;

    expect(read(ForeignObject.read({}, 'it'))).toEqual(nothing);
    expect(read(ForeignObject.read({ f: null }, 'it'))).toEqual(nothing);
  });

  it.each([null, undefined, 5, 'text', []])('is not made of %j', (value) => {
    expect(() => ForeignObject.read(value, 'the frame')).toThrow(/^the frame is .*, and not an object$/);
  });

  it('names the place of a field in a list, and no contents', () => {
    const from = ForeignObject.read({ a: [{ b: { secret: 1 } }] }, 'the event');

    expect(() => from.objects('a')[0]?.requiredText('b')).toThrow(
      'the event.a[0].b is an object, and not a text',
    );
    expect(() => from.requiredText('c')).toThrow('the event.c is absent, and not a text');
  });
});
