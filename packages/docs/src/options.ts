import { readFlags } from '@adorn/conformance/command-line/read-flags';
import { wholeNumber } from '@adorn/conformance/command-line/whole-number';

export interface SiteOptions {
  readonly help: boolean;
  /** Whether a dead link, or a question without its page, is a failure. */
  readonly check: boolean;
  /** Measure the accessibility of a page of each kind; less than 100 is a failure. */
  readonly lighthouse: boolean;
  /** Serve the site until the process is ended. */
  readonly serve: boolean;
  readonly port: number;
}

const PORT = '4173';

export const HELP = `Builds the site of the documents into .work/site, and lists dead links and questions that its search does not answer. VitePress and
TypeDoc are installed into .work at the first time.

Usage:
  npm run docs [-- --check] [-- --lighthouse] [-- --serve]

  --check      exit code 1 if a link leads to no page, heading, image or file of the repository, or the search misses a page
  --lighthouse the accessibility of ten pages in Chromium, in both themes and on a phone: exit code 1 if one has less than 100.
               Lighthouse is installed into .work at the first time, and Debian's Chromium where this process may do so
  --serve      serves the site at http://localhost:${PORT}
  --port N     at another port
  --help, -h   this text
`;

/** @throws {UsageError} for a flag that there is not */
export function parseOptions(args: readonly string[]): SiteOptions {
  const { values } = readFlags(args, {
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      check: { type: 'boolean', default: false },
      lighthouse: { type: 'boolean', default: false },
      serve: { type: 'boolean', default: false },
      port: { type: 'string', default: PORT },
    },
  });
  return { ...values, port: wholeNumber('port', values.port) };
}
