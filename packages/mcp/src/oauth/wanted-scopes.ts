/** The most scopes that are remembered for one server. */
const MOST_SCOPES = 64;

const wanted = new Map<string, Set<string>>();

/** Notes scopes that a server asked for beyond those of a token, for the next consent. `key` is that of the credential. */
export function noteScopes(key: string | undefined, scope: string | undefined): void {
  if (key === undefined || scope === undefined) return;
  const scopes = wanted.get(key) ?? new Set();
  wanted.set(key, scopes);
  for (const one of scope.split(/\s+/)) if (one !== '' && scopes.size < MOST_SCOPES) scopes.add(one);
}

/** The noted scopes. */
export function notedScopes(key: string): ReadonlySet<string> {
  return wanted.get(key) ?? new Set();
}
