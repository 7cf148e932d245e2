import type { PrincipalInput } from 'adorn/backend';

/** What the options say of somebody beside an id. */
export interface PersonOptions {
  readonly role: readonly string[];
  readonly tenant: string | undefined;
}

/** Somebody with roles or a tenant is a principal; an id alone is a name that the operator states. */
export function principalOf(id: string, { role: roles, tenant }: PersonOptions): PrincipalInput {
  if (roles.length === 0 && tenant === undefined) return id;
  return { id, roles, tenant };
}
