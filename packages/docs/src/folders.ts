import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Where VitePress is installed and works; `packages/docs/vitepress` holds what it is given. */
export const WORKSHOP = `${ROOT}.work/vitepress`;

/** The folder of the documents. */
export const DOCUMENTS = `${ROOT}packages/docs`;

/** Where TypeDoc is installed; `packages/docs/typedoc` holds what it is given. */
export const REFERENCE_WORKSHOP = `${ROOT}.work/typedoc`;

/** Where Lighthouse is installed; `packages/docs/lighthouse` holds what it is given. */
export const LIGHTHOUSE_WORKSHOP = `${ROOT}.work/lighthouse`;

/** Copies of the pages, at their paths in the repository: VitePress reads every Markdown file of one folder. */
export const PAGES = `${WORKSHOP}/pages`;

/** The site. */
export const SITE = `${ROOT}.work/site`;

/** Where readers find the files of the repository. */
export const REPOSITORY = 'https://github.com/adorn-kit/adorn/blob/main/';
