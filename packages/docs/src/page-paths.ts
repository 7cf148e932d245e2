import { existsSync, readdirSync } from 'node:fs';

/** The folder of the documents. */
export const DOCS = 'packages/docs/';
/** The index of the documents. */
export const INDEX = `${DOCS}README.md`;
/** Programs and outputs of the package of the documents. */
const NO_PAGES = ['src', 'build', 'vitepress', 'typedoc', 'lighthouse', 'node_modules'];

/**
 * The pages of the site by their paths in the repository: its README, everything in `packages/docs`, and the README and the changelog of each
 * package.
 */
export function listPagePaths(root: string): string[] {
  const ofPackages = readdirSync(`${root}packages`)
    .flatMap((name) => [`packages/${name}/README.md`, `packages/${name}/CHANGELOG.md`])
    .filter((path) => path !== INDEX && existsSync(root + path));
  return ['README.md', ...ofPackages, ...listMarkdown(root, DOCS)];
}

function listMarkdown(root: string, folder: string): string[] {
  return readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return NO_PAGES.includes(entry.name) ? [] : listMarkdown(root, `${path}/`);
    return path.endsWith('.md') ? [path] : [];
  });
}

/**
 * Where VitePress puts a page, as the path of a Markdown file.
 *
 * @example
 * sitePath('README.md'); // 'index.md'
 * sitePath('packages/docs/README.md'); // 'documents.md'
 * sitePath('packages/docs/how/README.md'); // 'how/index.md'
 * sitePath('packages/core/README.md'); // 'packages/core/index.md'
 */
export function sitePath(page: string): string {
  if (page === INDEX) return 'documents.md';
  return page
    .replace(DOCS, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/CHANGELOG\.md$/, 'changelog.md');
}

/** The address of a page within the site: `/how/`, `/how/tool-call`. VitePress adds `.html`. */
export function siteAddress(page: string): string {
  return `/${sitePath(page)}`.replace(/(\/index)?\.md$/, (_, index?: string) =>
    index === undefined ? '' : '/',
  );
}
