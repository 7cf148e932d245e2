import type { Token } from './markdown.js';

/**
 * Makes the first cell of each row a header of the row, in a table with a column that has no header: every cell of it has a header then, which
 * a screen reader says with the cell.
 *
 * @param tokens of a page
 */
export function giveRowHeaders(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') giveRowHeadersTo(tableFrom(tokens, index));
  });
}

function tableFrom(tokens: readonly Token[], start: number): readonly Token[] {
  return tokens.slice(
    start,
    tokens.findIndex(({ type }, index) => index > start && type === 'table_close'),
  );
}

function giveRowHeadersTo(table: readonly Token[]): void {
  const isWithout = ({ type }: Token, index: number): boolean =>
    type === 'th_open' && table[index + 1]?.content === '';
  if (!table.some(isWithout)) return;
  table.forEach(({ type }, index) => {
    const opening = table[index + 1];
    if (type !== 'tr_open' || opening?.type !== 'td_open') return;
    opening.tag = 'th';
    opening.attrSet('scope', 'row');
    const closing = table.find((token, at) => at > index && token.type === 'td_close');
    if (closing !== undefined) closing.tag = 'th';
  });
}
