import { createHash } from 'node:crypto';

/**
 * Marks a statement that PostgreSQL is to prepare once for each connection: to parse and to plan it takes longer than to
 * run it. Its text must not depend on the number of its rows.
 */
export const PREPARED = '/* prepared */';

/**
 * The names of prepared statements: the same text has the same name in all processes. A connection pooler that gives each
 * transaction another connection may not know them; they are then not used any more.
 */
export class StatementNames {
  private names: Map<string, string> | undefined = new Map();

  /** Undefined if the statement is not prepared. */
  nameOf(text: string): string | undefined {
    const { names } = this;
    if (!names || !text.includes(PREPARED)) return undefined;
    let name = names.get(text);
    if (name === undefined) {
      name = `adorn_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
      names.set(text, name);
    }
    return name;
  }

  /** Prepares no statement any more. */
  forget(): void {
    this.names = undefined;
  }
}
