/** A page whose accessibility Lighthouse measures. */
export interface AuditedPage {
  /** What kind of page it stands for. */
  readonly name: string;
  /** Its address in the site. */
  readonly path: string;
  /** Words to search for on it: the list of results is open while Lighthouse looks. Default: no search. */
  readonly search?: string;
}

/** One page of each kind. */
export const AUDITED_PAGES: readonly AuditedPage[] = [
  { name: 'start', path: '/' },
  { name: 'first program', path: '/first-program' },
  { name: 'guide with tables', path: '/policies' },
  { name: 'guide with a terminal', path: '/guardrails' },
  { name: 'reference', path: '/reference/@adorn/schedules' },
  { name: 'errors', path: '/errors' },
  { name: 'command line', path: '/command-line' },
  { name: 'chapter of the course', path: '/course/04-in-the-browser' },
  { name: 'decisions', path: '/decisions/' },
  { name: 'search', path: '/first-program', search: 'approval' },
];
