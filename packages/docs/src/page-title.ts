/** The `#` heading of a page as plain text. Throws if it has none. */
export function pageTitle(markdown: string, page: string): string {
  const [, heading] = /^# (.+)$/m.exec(markdown) ?? [];
  if (heading === undefined) throw new Error(`${page} has no heading: begin it with \`# Title\`.`);
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}
