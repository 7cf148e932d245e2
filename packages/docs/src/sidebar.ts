import { type IndexGroup, readIndexGroups } from './index-groups.js';
import { INDEX, siteAddress } from './page-paths.js';
import { pageTitle } from './page-title.js';

/** A page, or a section with pages and smaller sections; VitePress's own form. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
  readonly collapsed?: boolean;
}

/** The heading of the index whose pages are the reference. */
const REFERENCE = 'To look things up';
/** The heading of the index whose pages are the overviews of folders. */
const CONTRIBUTORS = 'For contributors';
const HOW = 'packages/docs/how/';
const DECISIONS = 'packages/docs/decisions/';
const OVERVIEW = 'README.md';

/**
 * The sidebar: the start, the guides in the groups of the index, how it works, the reference with all packages, and the decisions. Titles
 * are the headings of the pages; order and groups are those of the index and the overviews.
 *
 * @param pages text of each page by its path in the repository
 */
export function sidebarOf(pages: ReadonlyMap<string, string>): SidebarItem[] {
  const groups = readIndexGroups(textOf(pages, INDEX), INDEX);
  const reference = groupOf(groups, REFERENCE).pages;
  const [start, ...guides] = groups.filter(({ title }) => ![REFERENCE, CONTRIBUTORS].includes(title));
  if (start === undefined) throw new Error(`${INDEX} has no group of guides: give it \`##\` headings.`);
  const item = (page: string): SidebarItem => itemOf(pages, page);
  const packages = [...pages.keys()]
    .filter((page) => /^packages\/[^/]+\/README\.md$/.test(page))
    .filter((page) => page !== INDEX && !reference.includes(page))
    .sort();
  return [
    { text: start.title, items: [...start.pages, 'README.md', INDEX].map(item) },
    ...guides.map(({ title, pages: listed }) => ({ text: title, collapsed: false, items: listed.map(item) })),
    sectionOf(pages, HOW),
    {
      text: 'Reference',
      collapsed: true,
      items: [
        ...reference.map(item),
        { text: 'READMEs of the packages', collapsed: true, items: packages.map(item) },
      ],
    },
    sectionOf(pages, DECISIONS),
  ];
}

/** The pages of a folder: its overview, what the overview lists, in its groups, and the others by name. */
function sectionOf(pages: ReadonlyMap<string, string>, folder: string): SidebarItem {
  const overview = folder + OVERVIEW;
  const text = textOf(pages, overview);
  const title = pageTitle(text, overview);
  const groups = readIndexGroups(text, overview).map((group) => ({
    ...group,
    pages: group.pages.filter((page) => page.startsWith(folder)),
  }));
  const listed = new Set([overview, ...groups.flatMap((group) => group.pages)]);
  const others = [...pages.keys()].filter((page) => page.startsWith(folder) && !listed.has(page)).sort();
  const items = groups.flatMap((group): SidebarItem[] => {
    const links = group.pages.map((page) => itemOf(pages, page));
    return group.title === title ? links : [{ text: group.title, collapsed: true, items: links }];
  });
  return {
    text: title,
    collapsed: true,
    items: [
      { text: 'Overview', link: siteAddress(overview) },
      ...items,
      ...others.map((page) => itemOf(pages, page)),
    ],
  };
}

function groupOf(groups: readonly IndexGroup[], title: string): IndexGroup {
  const group = groups.find((candidate) => candidate.title === title);
  if (group === undefined) throw new Error(`${INDEX} has no list below "## ${title}".`);
  return group;
}

function itemOf(pages: ReadonlyMap<string, string>, page: string): SidebarItem {
  return { text: pageTitle(textOf(pages, page), page), link: siteAddress(page) };
}

function textOf(pages: ReadonlyMap<string, string>, page: string): string {
  const text = pages.get(page);
  if (text === undefined) throw new Error(`There is no page ${page}, which ${INDEX} lists.`);
  return text;
}
