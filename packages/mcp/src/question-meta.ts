/** The key in `_meta` of a question about a call; `false` says that the call runs only with an answer, and has run nothing. */
const HAS_RUN = 'adorn/hasRun';

/** The `_meta` of a question whose call runs only with an answer, and has run nothing. */
export const NOTHING_RUN = { [HAS_RUN]: false } as const;

/** True if a server says of a question that its call runs only with an answer, and has run nothing. */
export function saysNothingRun(meta: unknown): boolean {
  return (
    typeof meta === 'object' &&
    meta !== null &&
    (meta as Readonly<Record<string, unknown>>)[HAS_RUN] === false
  );
}
