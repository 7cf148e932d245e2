import { simplify } from './simple-schema.js';
import { shapeOf } from './value-shape.js';

const find = (schema: Record<string, unknown>, text: string) => shapeOf(simplify(schema))?.exec(text)?.[0];

describe('shapeOf', () => {
  it.each([
    ['Order number, such as "W2611340".', 'where is w2694415?', 'w2694415'],
    ['Product, e.g. "P-1183"', 'Is P-1001 in stock', 'P-1001'],
    ['A postcode such as "10969".', 'postcode 20095, order W2611340', '20095'],
    ['A street, such as "Gartenweg 5".', 'to Lindenstraße 14, please', 'Lindenstraße 14'],
    ['A day, such as "2025-11-04".', 'on 2025-12-24 then', '2025-12-24'],
    ['Like "ada@example.com"', 'I am mara.weber@shop.example.', 'mara.weber@shop.example'],
  ])('learns from "%s" what to look for', (description, text, found) => {
    expect(find({ type: 'string', description }, text)).toBe(found);
  });

  it('knows formats, and patterns that say something', () => {
    expect(find({ type: 'string', format: 'uri' }, 'see https://example.com/a.')).toBe(
      'https://example.com/a',
    );
    expect(find({ type: 'string', pattern: '^T\\d{3}$' }, 'ticket T123')).toBe('T123');
    expect(find({ type: 'string', pattern: '^A-\\d+$' }, 'account A-12.')).toBe('A-12');
    expect(find({ type: 'string', pattern: '^A-\\d+$' }, 'account a-12.')).toBe('a-12');
    expect(shapeOf(simplify({ type: 'string', pattern: '^.+$' }))).toBeUndefined();
  });

  it('has no shape for free text', () => {
    expect(shapeOf(simplify({ type: 'string', description: 'Words such as "desk lamp".' }))).toBeUndefined();
  });
});
