/**
 * How the search of the site compares words, for the index and for what somebody types. VitePress copies these functions into the page as
 * text, so they refer to nothing outside of themselves.
 */
export const indexOptions = {
  /** Words in lower case; undefined, which leaves it out, for one that says nothing about a page. */
  processTerm: (term: string): string | undefined =>
    /^(a|an|and|are|by|do|does|for|from|how|i|in|is|it|my|of|on|or|our|own|that|the|to|what|when|with|your)$/i.test(
      term,
    )
      ? undefined
      : term.toLowerCase(),
};

/** What counts how much. Guides come before reasons and insides. */
export const searchOptions = {
  fuzzy: (term: string): number | false => (term.length > 5 ? 0.2 : false),
  prefix: (term: string): boolean => term.length > 2,
  boost: { title: 4, text: 2, titles: 3 },
  boostDocument: (id: string): number => {
    if (/^\/(decisions|reference)\//.test(id)) return 0.2;
    if (/^\/(how|coming-from|packages)\//.test(id)) return 0.5;
    return /^\/(errors|check)\./.test(id) ? 0.5 : 1;
  },
};
