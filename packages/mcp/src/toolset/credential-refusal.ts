/** True if a server over HTTP refused the credential, or asked for one with more scopes. */
export function isRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { status, name } = error as { readonly status?: unknown; readonly name?: unknown };
  return status === 401 || status === 403 || REFUSALS.has(name);
}

const REFUSALS: ReadonlySet<unknown> = new Set(['UnauthorizedError', 'InsufficientScopeError']);
