import {
  copyPythonDict,
  magnitude,
  parsePythonJson,
  roundToCents,
  writePythonJson,
  writePythonNumber,
} from './python-json.js';

describe('parsePythonJson and writePythonJson', () => {
  it('keep the order of keys that look like integers, and the form of numbers', () => {
    const text = '{"9523": {"price": 46.0, "__proto__": 46}, "12": [true, false, null, -0.5], "a": {}}';

    expect(writePythonJson(parsePythonJson(text))).toBe(text);
  });

  it('take no text for a key because a colon stands after or in it', () => {
    const text = '{"a": ["b", ": c", "\\": d"], "e\\"": ": f"}';

    expect(writePythonJson(parsePythonJson(text))).toBe(text);
  });

  it('sort keys by code point where asked to, at every depth', () => {
    const value = parsePythonJson('{"b": {"\u{1F600}": 1, "\uFF5E": 2}, "a": 10, "B": 3}');

    expect(writePythonJson(value, { sortKeys: true })).toBe(
      '{"B": 3, "a": 10, "b": {"\\uff5e": 2, "\\ud83d\\ude00": 1}}',
    );
  });

  it('write ASCII only', () => {
    expect(writePythonJson('é \u007f\n"\\/')).toBe('"\\u00e9 \\u007f\\n\\"\\\\/"');
  });
});

describe('copyPythonDict', () => {
  it('shares nothing with the dict it copies', () => {
    const dict = new Map([['rows', [new Map([['price', 46]])]]]);
    const copy = copyPythonDict(dict);

    dict.get('rows')?.[0]?.set('price', 0);

    expect(writePythonJson(copy)).toBe('{"rows": [{"price": 46.0}]}');
  });
});

describe('writePythonNumber', () => {
  it.each([
    [46, '46.0'],
    [46n, '46'],
    [-0, '-0.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [1.5e300, '1.5e+300'],
    [-Infinity, '-inf'],
    [NaN, 'nan'],
  ])('writes %p as %s', (value, text) => {
    expect(writePythonNumber(value)).toBe(text);
  });
});

describe('roundToCents', () => {
  it.each([
    [2.675, 2.67],
    [0.125, 0.12],
    [0.375, 0.38],
    [-0.125, -0.12],
    [-0.001, -0],
    [71.96000000000001, 71.96],
    [951990142559084.875, 951990142559084.875],
    [1e22, 1e22],
    [7n, 7n],
  ])('rounds %p to %p', (value, rounded) => {
    expect(roundToCents(value)).toBe(rounded);
  });
});

it('magnitude drops the sign and keeps the kind', () => {
  expect([-3n, 3n, -2.5, -0].map(magnitude)).toEqual([3n, 3n, 2.5, 0]);
});
