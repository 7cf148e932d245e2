import { assertName } from '@adorn/core/backend';

/**
 * A name as it stands in a column: what PostgreSQL cannot hold in a text (NUL) or would fold together (halves of
 * surrogate pairs) is written as an escape. Names that differ stay different, and ordinary ones stay as they are.
 */
export function storedName(name: string): string {
  // The last guard: cut like this, the numbers 105 and 205 would be one name.
  if (typeof name !== 'string') assertName('name', name);
  return JSON.stringify(name).slice(1, -1);
}

/** A column that was changed by hand, and is not an encoded name, is read unchanged. */
export function nameFrom(stored: string): string {
  try {
    return JSON.parse(`"${stored}"`) as string;
  } catch {
    return stored;
  }
}
