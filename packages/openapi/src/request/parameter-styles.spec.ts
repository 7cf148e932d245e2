import type { ParameterStyle } from '../document/operation.js';
import { encoded, encodedReserved, pairsOf, simpleText } from './parameter-styles.js';

const LIST = ['blue', 'black'];
const COLOR = { R: 100, G: 200 };

describe('parameter styles', () => {
  it.each<[ParameterStyle, boolean, unknown, string]>([
    ['simple', false, 'blue', 'blue'],
    ['simple', false, LIST, 'blue,black'],
    ['simple', true, LIST, 'blue,black'],
    ['simple', false, COLOR, 'R,100,G,200'],
    ['simple', true, COLOR, 'R=100,G=200'],
    ['label', false, 'blue', '.blue'],
    ['label', false, LIST, '.blue,black'],
    ['label', true, LIST, '.blue.black'],
    ['label', false, COLOR, '.R,100,G,200'],
    ['label', true, COLOR, '.R=100.G=200'],
    ['matrix', false, 'blue', ';color=blue'],
    ['matrix', false, LIST, ';color=blue,black'],
    ['matrix', true, LIST, ';color=blue;color=black'],
    ['matrix', false, COLOR, ';color=R,100,G,200'],
    ['matrix', true, COLOR, ';R=100;G=200'],
  ])('%s, explode %s: %j is %s', (style, explode, value, text) => {
    expect(simpleText('color', value, { style, explode }, encoded)).toBe(text);
  });

  it.each<[ParameterStyle, boolean, unknown, string]>([
    ['form', true, 'blue', 'color=blue'],
    ['form', true, true, 'color=true'],
    ['form', true, LIST, 'color=blue&color=black'],
    ['form', false, LIST, 'color=blue,black'],
    ['form', true, COLOR, 'R=100&G=200'],
    ['form', false, COLOR, 'color=R,100,G,200'],
    ['spaceDelimited', false, LIST, 'color=blue black'],
    ['spaceDelimited', true, LIST, 'color=blue&color=black'],
    ['pipeDelimited', false, LIST, 'color=blue|black'],
    ['pipeDelimited', false, COLOR, 'color=R|100|G|200'],
    ['deepObject', true, COLOR, 'color[R]=100&color[G]=200'],
    [
      'deepObject',
      true,
      { by: { name: 'ada' }, tag: LIST },
      'color[by][name]=ada&color[tag][0]=blue&color[tag][1]=black',
    ],
    ['deepObject', true, LIST, 'color[0]=blue&color[1]=black'],
    [
      'deepObject',
      true,
      [{ R: 1, G: 2 }, null, { R: 3, tags: ['x'] }],
      'color[0][R]=1&color[0][G]=2&color[1][R]=3&color[1][tags][0]=x',
    ],
    ['form', true, [1, null, { a: 1 }], 'color=1&color={"a":1}'],
    ['form', true, { a: undefined, b: null }, ''],
  ])('%s, explode %s: %j is %s', (style, explode, value, text) => {
    const pairs = pairsOf('color', value, { style, explode }, (part) => part);

    expect(pairs.map((pair) => pair.join('=')).join('&')).toBe(text);
  });

  it.each<[ParameterStyle, unknown, string]>([
    ['form', ['red', 'blue'], 'red,blue'],
    ['form', ['a,b', 'c'], 'a%2Cb,c'],
    ['form', ['a', 'b', 'c'], 'a,b,c'],
    ['form', ['a&b=c', 'd/e'], 'a%26b%3Dc,d%2Fe'],
    ['form', { 'R,1': 'x,y', G: 2 }, 'R%2C1,x%2Cy,G,2'],
    ['form', 'a,b', 'a%2Cb'],
    ['form', [], ''],
    ['spaceDelimited', ['a b', 'c'], 'a%20b%20c'],
    ['pipeDelimited', ['a', 'b'], 'a%7Cb'],
  ])('%s, not exploded: %j is %s in a query', (style, value, text) => {
    expect(pairsOf('v', value, { style, explode: false }, encoded)).toEqual([['v', text]]);
  });

  it('keeps the items of a list apart where reserved characters are kept', () => {
    const list = { style: 'form', explode: false } as const;

    expect(pairsOf('v', ['a,b', 'c/d'], list, encodedReserved)).toEqual([['v', 'a%2Cb,c/d']]);
  });

  it('encodes everything but unreserved characters, or keeps reserved ones that do not divide a query', () => {
    expect(encoded("a/b?c#d&e=f g'(h)*!~")).toBe('a%2Fb%3Fc%23d%26e%3Df%20g%27%28h%29%2A%21~');
    expect(encodedReserved('a/b?c#d&e=f+g:h')).toBe('a/b?c%23d%26e%3Df%2Bg:h');
    expect(encoded('\ud800')).toBe('%EF%BF%BD');
  });
});
