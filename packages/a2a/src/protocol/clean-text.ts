/**
 * Control characters but tab and line breaks, invisible ones and those that reverse the direction of text, in which
 * instructions can be hidden from people. Joiners and presentation selectors stay: words and emoji need them.
 */
const HIDDEN = /(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

/** A text of a peer without hidden characters, cut at a limit. */
export function cleanText(text: string, limit = Infinity): string {
  const clean = text.replace(HIDDEN, '');
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}
