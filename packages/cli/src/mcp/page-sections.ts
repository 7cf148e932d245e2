/** A heading of a page with the text below it, up to the next heading. */
export interface PageSection {
  /** The page, as in `how/tool-call.md`. */
  readonly path: string;
  /** The first heading of the page. */
  readonly title: string;
  /** The heading of the section; for what stands above the second heading, the title. */
  readonly heading: string;
  /** With the line of the heading. */
  readonly text: string;
}

const HEADING = /^#{1,4} (.+)$/;
const FENCE = /^\s*```/;

/** Splits a page at its headings. A `#` in a program is none. */
export function sectionsOf(path: string, markdown: string): PageSection[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let isInFence = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isInFence = !isInFence;
    const heading = isInFence ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined || sections.length === 0)
      sections.push({ heading: heading ?? path, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  const title = sections[0]?.heading ?? path;
  return sections.map(({ heading, lines }) => ({ path, title, heading, text: lines.join('\n').trim() }));
}
