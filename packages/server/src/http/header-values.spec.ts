import fc from 'fast-check';

import { contentDisposition, printableAscii } from './header-values.js';

describe('values of headers', () => {
  it('can be sent, whatever they were made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(0xffff), (text, unit) => {
        const odd = text + String.fromCharCode(unit);
        const headers = new Headers({ a: printableAscii(odd), b: contentDisposition('inline', odd) });
        expect(headers.get('b')).toMatch(/^inline; filename\*=UTF-8''[\w.!~%-]*$/);
      }),
    );
  });

  it('name a file by its name', () => {
    const [, name = ''] = contentDisposition('attachment', "Übersicht (1)*'s.txt").split("''");
    expect(decodeURIComponent(name)).toBe("Übersicht (1)*'s.txt");
  });
});
