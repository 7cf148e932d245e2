import { type Rename, RENAMES } from './renames.js';

/** An exported name: `name` of the entry `entry`. */
export interface ExportedName {
  readonly entry: string;
  /** A member of an export, if it has a point: `workflow.loop`. */
  readonly name: string;
}

/** What has become of a name. */
export type Successor =
  | ({ readonly kind: 'renamed' } & ExportedName)
  /** Nothing has its place; the advice says what to write. */
  | { readonly kind: 'removed'; readonly advice: string };

/** What has become of a name that an entry exports, or undefined if it is as it was. A name may have changed several times. */
export function findSuccessor(
  wanted: ExportedName,
  renames: readonly Rename[] = RENAMES,
): Successor | undefined {
  let found: Successor | undefined;
  let next = successorOf(wanted, renames);
  while (next) {
    found = next;
    next = next.kind === 'renamed' ? successorOf(next, renames) : undefined;
  }
  return found;
}

function successorOf({ entry, name }: ExportedName, renames: readonly Rename[]): Successor | undefined {
  for (const rename of renames) {
    if (!rename.from.includes(entry)) continue;
    if (rename.kind === 'moved' && rename.names.includes(name))
      return { kind: 'renamed', entry: rename.to, name };
    if (rename.kind === 'renamed' && Object.hasOwn(rename.names, name))
      return { kind: 'renamed', entry, name: rename.names[name] ?? name };
    if (rename.kind === 'removed' && Object.hasOwn(rename.names, name))
      return { kind: 'removed', advice: rename.names[name] ?? '' };
  }
  return undefined;
}

/** The package of an entry: `@adorn/core` of `@adorn/core/backend`. */
export function packageOf(entry: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(entry)?.[0] ?? entry;
}

/** True for the modules of Adorn. */
export function isEntry(specifier: string): boolean {
  return /^(?:adorn|@adorn\/[^/]+)(?:\/|$)/.test(specifier);
}
