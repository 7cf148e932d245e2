/** A code base in figures, as the table of the report prints them. */
export interface ShapeRow {
  readonly name: string;
  /** Lines of files: median / 90th percentile / longest. */
  readonly files: string;
  /** Lines of functions: median / 90th percentile. */
  readonly functions: string;
  /** The share of exporting files that export one name. */
  readonly oneExport: string;
  /** Uses of `any` in 1,000 lines. */
  readonly anys: string;
  readonly count: string;
}

/** Code bases that are models of this one, measured the same way over their own TypeScript without tests. */
export const ANCHORS: readonly ShapeRow[] = [
  row('inversify core', '21 / 105 / 612', '16 / 52', '94 %', '2.2'),
  row('Nest core and common', '29 / 242 / 1131', '7 / 22', '', ''),
  row('MCP typescript-sdk', '118 / 955 / 3160', '9 / 48', '13 %', '0.1'),
  row('vercel/ai', '40 / 299 / 2942', '13 / 82', '70 %', '1.7'),
  row('openai-agents-js core', '148 / 1172 / 7087', '12 / 48', '11 %', '15.7'),
  row('adk-js core', '88 / 300 / 1358', '10 / 36', '46 %', '1.4'),
  row('what good looks like', '40 / 120 /', '8 / 22', '', '0'),
];

function row(name: string, files: string, functions: string, oneExport: string, anys: string): ShapeRow {
  return { name, files, functions, oneExport, anys, count: '' };
}
