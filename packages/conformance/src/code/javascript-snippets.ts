import type { Snippet } from './snippet.js';

/** Ordinary programs with what they print. */
export const JAVASCRIPT_SNIPPETS: readonly Snippet[] = [
  {
    name: 'totals by group',
    code: [
      "const rows = [{ team: 'red', n: 3 }, { team: 'blue', n: 5 }, { team: 'red', n: 4 }];",
      'const totals = {};',
      'for (const { team, n } of rows) totals[team] = (totals[team] ?? 0) + n;',
      'console.log(JSON.stringify(totals));',
    ].join('\n'),
    output: '{"red":7,"blue":5}\n',
  },
  {
    name: 'a csv',
    code: [
      "const lines = 'name,age\\nann,41\\nbob,7'.split('\\n').map((line) => line.split(','));",
      "console.log(lines.slice(1).map(([name, age]) => `${name}:${Number(age) + 1}`).join(' '));",
    ].join('\n'),
    output: 'ann:42 bob:8\n',
  },
  {
    name: 'a csv with quotes',
    code: [
      'const cells = [...\'"a, b","say ""hi""",3\'.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, q, p]) => q?.replaceAll(\'""\', \'"\') ?? p);',
      'console.log(JSON.stringify(cells));',
    ].join('\n'),
    output: '["a, b","say \\"hi\\"","3"]\n',
  },
  {
    name: 'json that is changed',
    code: [
      'const order = JSON.parse(\'{"lines":[{"n":2,"price":4.5},{"n":1,"price":10}]}\');',
      'console.log(order.lines.reduce((sum, { n, price }) => sum + n * price, 0));',
    ].join('\n'),
    output: '19\n',
  },
  {
    name: 'json with indents and a filter',
    code: [
      "console.log(JSON.stringify({ a: 1, secret: 2, b: [1, { c: null }] }, (key, value) => (key === 'secret' ? undefined : value), 1));",
    ].join('\n'),
    output: '{\n "a": 1,\n "b": [\n  1,\n  {\n   "c": null\n  }\n ]\n}\n',
  },
  {
    name: 'days between dates',
    code: ['console.log((Date.UTC(2026, 10, 25) - Date.UTC(2024, 1, 29)) / 864e5);'].join('\n'),
    output: '1000\n',
  },
  {
    name: 'a date in ISO',
    code: ['console.log(new Date(Date.UTC(2026, 0, 31, 22, 15) + 5 * 36e5).toISOString());'].join('\n'),
    output: '2026-02-01T03:15:00.000Z\n',
  },
  {
    name: 'a weekday',
    code: [
      "console.log(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'][new Date('2026-11-26T00:00:00Z').getUTCDay()]);",
    ].join('\n'),
    output: 'Th\n',
  },
  {
    name: 'a sort by two keys',
    code: [
      "const people = [['bo', 3], ['al', 3], ['cy', 1]];",
      'people.sort(([a, m], [b, n]) => m - n || a.localeCompare(b));',
      "console.log(people.join('|'));",
    ].join('\n'),
    output: 'cy,1|al,3|bo,3\n',
  },
  {
    name: 'large whole numbers',
    code: [
      'console.log(String([...Array(25).keys()].reduce((product, n) => product * BigInt(n + 1), 1n)));',
    ].join('\n'),
    output: '15511210043330985984000000\n',
  },
  {
    name: 'primes',
    code: [
      'console.log([...Array(60).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0)).join());',
    ].join('\n'),
    output: '2,3,5,7,11,13,17,19,23,29,31,37,41,43,47,53,59\n',
  },
  {
    name: 'a regular expression with names',
    code: [
      "const { year, month } = '2026-11-26'.match(/(?<year>\\d+)-(?<month>\\d+)/).groups;",
      'console.log(year, month);',
    ].join('\n'),
    output: '2026 11\n',
  },
  {
    name: 'words that are counted',
    code: [
      'const counts = new Map();',
      "for (const word of 'the cat and the dog and the bird'.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);",
      "console.log([...counts].sort((a, b) => b[1] - a[1]).slice(0, 2).join(';'));",
    ].join('\n'),
    output: 'the,3;and,2\n',
  },
  {
    name: 'sets',
    code: [
      'const a = new Set([1, 2, 3, 4]), b = new Set([3, 4, 5]);',
      'console.log([...a].filter((x) => b.has(x)).join(), [...new Set([...a, ...b])].length);',
    ].join('\n'),
    output: '3,4 5\n',
  },
  {
    name: 'a class with a getter',
    code: [
      'class Account { #sum = 0; add(n) { this.#sum += n; return this; } get sum() { return this.#sum; } }',
      'console.log(new Account().add(5).add(7).sum);',
    ].join('\n'),
    output: '12\n',
  },
  {
    name: 'a generator',
    code: [
      'function* fibonacci() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }',
      'const first = []; for (const n of fibonacci()) { if (first.length === 10) break; first.push(n); }',
      'console.log(first.join());',
    ].join('\n'),
    output: '0,1,1,2,3,5,8,13,21,34\n',
  },
  {
    name: 'promises',
    code: [
      'const all = await Promise.all([1, 2, 3].map(async (n) => n * n));',
      "console.log(all.join(), (await Promise.allSettled([Promise.reject(new Error('x')), 1])).map(({ status }) => status).join());",
    ].join('\n'),
    output: '1,4,9 rejected,fulfilled\n',
  },
  {
    name: 'a payment of a loan',
    code: [
      'const rate = 0.045 / 12, payment = (10_000 * rate) / (1 - (1 + rate) ** -24);',
      'console.log(payment.toFixed(2));',
    ].join('\n'),
    output: '436.48\n',
  },
  {
    name: 'a matrix',
    code: [
      'const m = [[1, 2], [3, 4], [5, 6]];',
      'console.log(JSON.stringify(m[0].map((_, i) => m.map((row) => row[i]))));',
    ].join('\n'),
    output: '[[1,3,5],[2,4,6]]\n',
  },
  {
    name: 'an error that is handled',
    code: [
      "try { null.x; } catch (error) { console.log(error instanceof TypeError, error.name); } finally { console.log('done'); }",
    ].join('\n'),
    output: 'true TypeError\ndone\n',
  },
  {
    name: 'text in Unicode',
    code: ["console.log('Crème'.normalize('NFD').replace(/\\p{M}/gu, ''), [...'a👍b'].length);"].join('\n'),
    output: 'Creme 3\n',
  },
  {
    name: 'bytes',
    code: [
      'console.log(new Uint8Array(new Float32Array([1.5]).buffer).join(), new DataView(new ArrayBuffer(4)).getInt16(0));',
    ].join('\n'),
    output: '0,0,192,63 0\n',
  },
  {
    name: 'a proxy and a symbol',
    code: [
      'const log = []; const seen = new Proxy({ a: 1 }, { get: (o, k) => (log.push(String(k)), o[k]) });',
      "console.log(seen.a + 1, log.join(), `${{ [Symbol.toPrimitive]: () => 'p' }}`);",
    ].join('\n'),
    output: '2 a p\n',
  },
  {
    name: 'a deep copy and a merge',
    code: [
      'const base = { a: { b: [1] }, c: 2 }; const copy = { ...JSON.parse(JSON.stringify(base)), c: 3 };',
      'copy.a.b.push(2);',
      'console.log(JSON.stringify(base), JSON.stringify(copy), Object.entries(copy).flat().length);',
    ].join('\n'),
    output: '{"a":{"b":[1]},"c":2} {"a":{"b":[1,2]},"c":3} 4\n',
  },
];
