import { createHash } from 'node:crypto';

import { isToolName, toolNameOf } from '@adorn/core/compiler';

/** The longest name of a tool, its prefix included; providers take 64 characters. */
const LONGEST = 60;

const HASH_LENGTH = 8;

/** What follows in a longer text does not tell names apart. */
const LONGEST_TEXT = 500;

/** Gives each operation a legal name that no other has, the same for the same document. */
export class OperationNames {
  private readonly taken = new Set<string>();
  /** The number that a name got last. */
  private readonly numbers = new Map<string, number>();

  constructor(private readonly prefix: string | undefined) {}

  /** The operation's id in snake_case, else its method and path. */
  nameFor(operationId: string | undefined, method: string, path: string): string {
    const own = snakeName(operationId ?? '') || snakeName(`${method} ${path}`);
    const legal = isToolName(own) ? own : `${method.toLowerCase()}_${own}`;
    return this.take(this.prefix === undefined ? legal : `${this.prefix}_${legal}`);
  }

  private take(wished: string): string {
    const base = shortened(wished, LONGEST);
    let name = base;
    let number = this.numbers.get(base) ?? 1;
    while (this.taken.has(name)) {
      const suffix = `_${String(++number)}`;
      name = shortened(base, LONGEST - suffix.length) + suffix;
    }
    this.numbers.set(base, number);
    this.taken.add(name);
    return name;
  }
}

/** Letters, digits and single underscores: `X-Request-ID` is `x_request_id`, `filter[name]` is `filter_name`. */
export function snakeName(text: string): string {
  const words = text.slice(0, LONGEST_TEXT).replace(/[^A-Za-z0-9]+/g, '_');
  return toolNameOf(words).replace(/_+/g, '_').replace(/^_|_$/g, '');
}

/** A long name is truncated and made unique by a hash. */
function shortened(name: string, length: number): string {
  if (name.length <= length) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, length - HASH_LENGTH - 1)}_${hash}`;
}
