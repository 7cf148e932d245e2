import type { Token } from './markdown.js';
import { giveRowHeaders } from './row-headers.js';

/** The tokens of a table, as markdown-it has them, with its first row as its head. */
function tableOf(...rows: readonly (readonly string[])[]): Token[] {
  const attributes = new Map<string, string>();
  const token = (type: string, content = ''): Token => ({
    ...{ type, content, tag: type.replace(/_.*/, ''), info: '', children: null },
    attrGet: (name) => attributes.get(name) ?? null,
    attrSet(name, value) {
      this.tag += ` ${name}=${value}`;
    },
  });
  const cells = rows.flatMap((row, index) => {
    const kind = index === 0 ? 'th' : 'td';
    return [
      token('tr_open'),
      ...row.flatMap((text) => [token(`${kind}_open`), token('inline', text), token(`${kind}_close`)]),
      token('tr_close'),
    ];
  });
  return [token('table_open'), ...cells, token('table_close')];
}

/** The elements of the cells below the head. */
function cellsOf(tokens: readonly Token[]): string[] {
  giveRowHeaders(tokens);
  return tokens
    .filter(({ type }) => type.startsWith('td_'))
    .map(({ type, tag }) => (type === 'td_open' ? `<${tag}>` : `</${tag}>`));
}

describe('giveRowHeaders', () => {
  it('makes the first cell of each row its header where a column has none', () => {
    expect(cellsOf(tableOf(['option', ''], ['`path`', 'a path'], ['`host`', 'a host']))).toEqual([
      ...['<th scope=row>', '</th>', '<td>', '</td>'],
      ...['<th scope=row>', '</th>', '<td>', '</td>'],
    ]);
  });

  it('leaves a table alone whose columns all have a header', () => {
    const full = tableOf(['option', 'what it does'], ['`path`', 'a path']);

    expect(cellsOf([...full, ...tableOf(['', 'of it'], ['a', 'b'])])).toEqual([
      ...['<td>', '</td>', '<td>', '</td>'],
      ...['<th scope=row>', '</th>', '<td>', '</td>'],
    ]);
  });
});
