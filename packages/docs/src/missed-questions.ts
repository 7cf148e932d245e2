/** A question as somebody types it, and the pages of which one has the answer: paths on the site without their endings. */
export type Question = readonly [typed: string, ...pages: string[]];

/** Finds sections, as `/costs.html#an-explicit-cache`, best first. */
export type Search = (typed: string) => readonly string[];

/** How many results somebody looks at. */
const LOOKED_AT = 3;

/** One sentence for each question whose page is not among the first results. */
export function findMissedQuestions(questions: readonly Question[], search: Search): string[] {
  return questions.flatMap(([typed, ...pages]) => {
    const found = search(typed).slice(0, LOOKED_AT);
    if (found.some((section) => pages.includes(pageOf(section)))) return [];
    return [
      `A search for "${typed}" does not find ${pages.join(' or ')}: ${found.join(', ') || 'nothing'}. Say its words in the title or a heading.`,
    ];
  });
}

/** `costs` of `/costs.html#an-explicit-cache`, `packages/storage` of `/packages/storage/#memory`. */
function pageOf(section: string): string {
  return section.replace(/^\//, '').replace(/(\.html|\/)?(#.*)?$/, '');
}
