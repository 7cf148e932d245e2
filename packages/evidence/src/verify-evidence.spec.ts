import { generateKeyPairSync } from 'node:crypto';

import fc from 'fast-check';

import { canonicalText } from './canonical-text.js';
import { desk, linesOf, paid, paying } from './desk.fixture.js';
import { exportEvidence, verifyEvidence, withoutContents } from './index.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** An export of two conversations, signed. */
async function signedLines(options: { readonly contents?: boolean } = {}): Promise<string[]> {
  await using runner = await desk({ steps: [...paying(), ...paying('A-2')] });
  for (const userId of ['ada', 'bob']) await paid(runner, { userId, sessionId: 's1' });
  return await linesOf(exportEvidence(runner, { ...options, signWith: privateKey }));
}

/** Writes a row anew, with a digest that fits. */
function forged(line: string, change: (row: Record<string, unknown>) => void): string {
  const row = JSON.parse(line) as Record<string, unknown>;
  change(row);
  return `${JSON.stringify(row)}\n`;
}

describe('verifyEvidence', () => {
  let lines: string[];
  beforeAll(async () => {
    lines = await signedLines();
  });

  it('finds nothing in an export as it was written, in pieces of any size', async () => {
    const text = lines.join('');
    const report = { isIntact: true, rows: 14, withoutContents: 0, signature: 'valid' };

    for (const size of [1, 7, 1000, text.length]) {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await verifyEvidence(pieces, { publicKey })).toMatchObject(report);
    }
    expect(await verifyEvidence(text.trimEnd())).toMatchObject({ ...report, signature: 'unchecked' });
  });

  it('takes an export without contents, and one from which contents were taken out later', async () => {
    expect(await verifyEvidence(await signedLines({ contents: false }), { publicKey })).toMatchObject({
      isIntact: true,
      withoutContents: 14,
      signature: 'valid',
    });
    const some = lines.map((line) => (line.includes('"userId":"ada"') ? withoutContents(line) : line));
    expect(await verifyEvidence(some, { publicKey })).toMatchObject({ isIntact: true, withoutContents: 7 });
  });

  it('names what was done, and the line', async () => {
    const [first = '', second = '', third = '', ...rest] = lines;
    const last = rest.at(-1) ?? '';
    const faultOf = async (given: readonly string[]) => (await verifyEvidence(given, { publicKey })).fault;

    expect(await faultOf([first, second.replace('taxi', 'boat'), third, ...rest])).toMatchObject({
      kind: 'changed',
      line: 2,
    });
    expect(await faultOf([first, second.replace('"ada"', '"eve"'), third, ...rest])).toMatchObject({
      kind: 'changed',
      line: 2,
    });
    expect(await faultOf([first, third, ...rest])).toMatchObject({ kind: 'removed', line: 2 });
    expect(await faultOf([second, third, ...rest])).toMatchObject({ kind: 'removed', line: 1 });
    expect(await faultOf([first, third, second, ...rest])).toMatchObject({ kind: 'reordered', line: 2 });
    expect(await faultOf([first, second, second, third, ...rest])).toMatchObject({
      kind: 'repeated',
      line: 3,
    });
    expect(await faultOf([first, second, third])).toMatchObject({ kind: 'cut', line: 4 });
    expect(await faultOf([])).toMatchObject({ kind: 'cut', line: 1 });
    expect(await faultOf([...lines, last])).toMatchObject({ kind: 'added', line: lines.length + 1 });
    expect(await faultOf([first, 'x\n', third, ...rest])).toMatchObject({ kind: 'unreadable', line: 2 });
    expect(await faultOf([first, `${second.trimEnd()} \n`, third, ...rest])).toMatchObject({
      kind: 'changed',
      line: 2,
    });
  });

  it('finds an end that was written anew without the key, or by another one, or not signed', async () => {
    const other = generateKeyPairSync('ed25519');
    const end = lines.at(-1) ?? '';
    const begin = lines.slice(0, -1);
    const unsigned = forged(end, (row) => delete row['signature']);
    const faultOf = async (given: readonly string[], key = publicKey) =>
      (await verifyEvidence(given, { publicKey: key })).fault?.kind;

    expect(await faultOf(lines, other.publicKey)).toBe('signature');
    expect(await faultOf([...begin, forged(end, (row) => (row['signature'] = 'AAAA'))])).toBe('signature');
    expect(await faultOf([...begin, unsigned])).toBe('signature');
    expect((await verifyEvidence([...begin, unsigned])).fault?.kind).toBe('signature');
    const { digest } = await verifyEvidence(lines);
    expect((await verifyEvidence(lines, { digest: digest ?? '' })).isIntact).toBe(true);
    expect((await verifyEvidence(lines, { digest: 'another' })).fault?.kind).toBe('digest');
  });

  it('finds every single change, removal, exchange, repetition and cut', async () => {
    const mutation = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.nat(6) }),
      fc.record({
        kind: fc.constant('remove' as const),
        at: fc.nat(),
        count: fc.integer({ min: 1, max: 4 }),
      }),
      fc.record({ kind: fc.constant('swap' as const), at: fc.nat(), to: fc.nat() }),
      fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), to: fc.nat() }),
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), text: fc.string({ minLength: 1 }) }),
    );
    await fc.assert(
      fc.asyncProperty(mutation, fc.boolean(), async (change, hasKey) => {
        const text = lines.join('');
        const mutated = mutate(lines, change);
        fc.pre(mutated !== text && mutated !== text.trimEnd());
        const report = await verifyEvidence(mutated, hasKey ? { publicKey } : {});
        // Without the key, a changed signature cannot be told.
        const isOfSignature =
          !hasKey && mutated.replace(/"signature":"[^"]*"/, '') === text.replace(/"signature":"[^"]*"/, '');
        expect(isOfSignature || !report.isIntact).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

type Mutation =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'swap' | 'repeat'; readonly at: number; readonly to: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string };

function mutate(lines: readonly string[], change: Mutation): string {
  const rows = [...lines];
  const text = rows.join('');
  const place = change.at % rows.length;
  switch (change.kind) {
    case 'flip': {
      const bytes = Buffer.from(text);
      const at = change.at % bytes.length;
      bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << change.bit), at);
      return bytes.toString();
    }
    case 'remove':
      rows.splice(place, change.count);
      return rows.join('');
    case 'swap': {
      const to = change.to % rows.length;
      [rows[place], rows[to]] = [rows[to] ?? '', rows[place] ?? ''];
      return rows.join('');
    }
    case 'repeat':
      rows.splice(change.to % (rows.length + 1), 0, rows[place] ?? '');
      return rows.join('');
    case 'cut':
      return text.slice(0, change.at % text.length);
    case 'insert': {
      const at = change.at % text.length;
      return `${text.slice(0, at)}${change.text}${text.slice(at)}`;
    }
  }
}

describe('canonicalText', () => {
  it('writes what RFC 8785 shows', () => {
    const given = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalText(given)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts fields by their UTF-16 units, numbers among them', () => {
    const given = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '\ud83d\ude00': 5,
      '\u0080': 6,
      '\u00f6': 7,
      '10': 8,
      '9': 9,
    };
    expect(canonicalText(given)).toBe(
      '{"\\r":2,"1":4,"10":8,"9":9,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
  });
});
