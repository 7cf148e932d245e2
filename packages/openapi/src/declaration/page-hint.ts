import type { Parameter } from '../document/operation.js';

/** Names by which APIs let a caller ask for the next page, and for the size of a page. */
const PLACE =
  /^(page|page_number|page_token|page_id|offset|start|skip|cursor|start_cursor|after|starting_after|next_token|continuation_token|marker|since_id)$/;
const SIZE = /^(limit|per_page|page_size|pagesize|max_results|count|take|first)$/;

/** A sentence on how to get more than the first page; undefined if nothing of the kind is known. */
export function pageHint(parameters: readonly Parameter[]): string | undefined {
  const asked = parameters.filter(({ place }) => place === 'query').map(({ argument }) => argument);
  const next = asked.filter((name) => PLACE.test(name));
  if (next.length === 0) return undefined;
  const size = asked.filter((name) => SIZE.test(name));
  const sized = size.length === 0 ? '' : `, ${quoted(size)} for the size of a page`;
  return `The result comes in pages: pass ${quoted(next)} for the next one${sized}.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' or ');
}
