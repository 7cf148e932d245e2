import { seccompFilter } from './seccomp-filter.js';

const ALLOWED = 0x7fff0000;
const REFUSED = 0x00050026;

/** What the kernel does with a call: the program interpreted, as seccomp does it. */
function run(filter: Buffer, { nr, arch }: { readonly nr: number; readonly arch: number }): number {
  let value = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, k] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    if (code === 0x20) value = k === 4 ? arch : nr;
    else if (code === 0x06) return k;
    else {
      const holds = code === 0x15 ? value === k : value >= k;
      at += 8 * filter.readUInt8(at + (holds ? 2 : 3));
    }
  }
  throw new Error('the program does not end');
}

describe('seccompFilter', () => {
  it.each([
    [
      'x64',
      0xc000003e,
      [319, 447, 29, 68, 64, 240, 425, 298, 321, 0x40000000, 0x4000013f],
      [0, 1, 56, 57, 59, 9, 435],
    ],
    [
      'arm64',
      0xc00000b7,
      [279, 447, 194, 186, 190, 180, 425, 241, 280, 0x40000000],
      [63, 64, 220, 221, 222, 435],
    ],
  ])(
    'refuses on %s the calls that take uncounted memory, and no others',
    (architecture, arch, refused, allowed) => {
      const filter = seccompFilter(architecture)!;

      expect(refused.map((nr) => run(filter, { nr, arch }))).toEqual(refused.map(() => REFUSED));
      expect(allowed.map((nr) => run(filter, { nr, arch }))).toEqual(allowed.map(() => ALLOWED));
    },
  );

  it.each(['x64', 'arm64'])('refuses every call of another architecture on %s', (architecture) => {
    expect(run(seccompFilter(architecture)!, { nr: 0, arch: 0x40000003 })).toBe(REFUSED);
  });

  it.each(['ppc64', 'constructor', ''])(
    'is undefined for %j, whose numbers are not known',
    (architecture) => {
      expect(seccompFilter(architecture)).toBeUndefined();
    },
  );
});
