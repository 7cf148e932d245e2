import { AdornError, kindOf, frozenJson, isJsonValue, present } from '@adorn/schema';

/** A value of an attribute. A list is for somebody who is in several, such as two teams. */
export type PrincipalAttribute = string | number | boolean | readonly string[];

/**
 * Who somebody is: a person, a service, a schedule. It comes from `authenticate` of a server, or from `by` in the same
 * process, and from nowhere else: what a body, a model or a peer says of itself is never read as one.
 */
export interface Principal {
  /** Names the person or program, such as a user id. Not empty. */
  readonly id: string;
  /** What the principal may decide, such as `manager`. Default: none. */
  readonly roles: readonly string[];
  /** The organisation. A principal of another tenant than the requester's may answer nothing of it. Default: none. */
  readonly tenant?: string;
  /** Facts that `approvers` may compare, such as `team`. They are stored with requests and answers. Default: none. */
  readonly attributes: Readonly<Record<string, PrincipalAttribute>>;
  /** The id of the user for whom it acts, such as a support agent for a customer. Default: for itself. */
  readonly actsFor?: string;
}

/** A principal as a caller states it: only the `id` has to be there, and a text is a principal with nothing else. */
export type PrincipalInput = string | (Pick<Principal, 'id'> & Partial<Principal>);

const NO_ROLES: readonly string[] = Object.freeze([]);
const NO_ATTRIBUTES: Principal['attributes'] = Object.freeze({});

/**
 * A principal in full, as plain frozen JSON. The only function that makes one.
 *
 * @param source where it comes from, for the error: `authenticate`, `by`
 * @throws {PrincipalInvalidError}
 */
export function toPrincipal(given: unknown, source: string): Principal {
  const stated = typeof given === 'string' ? { id: given } : given;
  const fault = principalFault(stated);
  if (fault !== undefined) throw new PrincipalInvalidError(source, fault);
  const { id, roles = NO_ROLES, tenant, attributes = NO_ATTRIBUTES, actsFor } = stated as StatedPrincipal;
  return frozenJson(present({ id, roles, tenant, attributes, actsFor }));
}

type StatedPrincipal = Pick<Principal, 'id'> & Partial<Principal>;

/** Reads a principal from a log, which other versions and kits write, too: undefined for anything else. */
export function readPrincipal(value: unknown): Principal | undefined {
  return principalFault(value) === undefined ? toPrincipal(value, 'a log') : undefined;
}

/** The parts of a principal besides its id, for the log; undefined if there are none. */
export function principalToStore(principal: Principal): Principal | undefined {
  const { roles, tenant, attributes, actsFor } = principal;
  const hasMore =
    roles.length > 0 || tenant !== undefined || actsFor !== undefined || Object.keys(attributes).length > 0;
  return hasMore ? principal : undefined;
}

/** What is wrong with a value that should be a principal, as the rest of a sentence about it. */
function principalFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `it is ${kindOf(value)}`;
  const { id, roles, tenant, attributes, actsFor } = value as Partial<Record<keyof Principal, unknown>>;
  if (!isName(id)) return `its id is ${id === '' ? 'empty' : kindOf(id)}`;
  if (roles !== undefined && !isTexts(roles)) return 'its roles are no list of texts';
  if (tenant !== undefined && !isName(tenant)) return 'its tenant is no text';
  if (actsFor !== undefined && !isName(actsFor)) return 'its actsFor is no text';
  return attributes === undefined || isAttributes(attributes)
    ? undefined
    : 'its attributes are no plain values';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isAttributes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isJsonValue(value))
    return false;
  return Object.values(value).every(isAttribute);
}

/** True for a value that an attribute may have. */
export function isAttribute(value: unknown): value is PrincipalAttribute {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value) || isTexts(value);
}

/** What should say who somebody is does not. Nothing was stored. */
export class PrincipalInvalidError extends AdornError {
  readonly code = 'PRINCIPAL_INVALID';

  /** @param fault the rest of a sentence about it; without its values, which are facts about a person */
  constructor(source: string, fault: string) {
    super(
      `The principal of ${source} cannot be used: ${fault}. Pass an id, or { id, roles: ['manager'], tenant, ` +
        "attributes: { team: 'payments' }, actsFor }, with texts.",
    );
  }
}
