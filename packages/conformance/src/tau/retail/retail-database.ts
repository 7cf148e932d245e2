import { createHash } from 'node:crypto';

import { copyPythonDict, parsePythonJson, writePythonJson } from './python-json.js';
import { Refusal } from './refusal.js';
import { readRow, type Row } from './row.js';

/** A shop's users, orders and products, by id. Each task has its own, and its tools change it in place. */
export class RetailDatabase {
  constructor(private readonly tables: Row) {}

  /** `text` is the start database as JSON. */
  static read(text: string): RetailDatabase {
    return new RetailDatabase(readRow(new Map([['database', parsePythonJson(text)]]), 'database'));
  }

  /** A database of the same rows, none of them shared. */
  copy(): RetailDatabase {
    return new RetailDatabase(copyPythonDict(this.tables));
  }

  /** All users by id, in the order of the data. */
  listUsers(): [string, Row][] {
    const users = readRow(this.tables, 'users');
    return [...users.keys()].map((id) => [id, readRow(users, id)]);
  }

  listProducts(): Row[] {
    const products = readRow(this.tables, 'products');
    return [...products.keys()].map((id) => readRow(products, id));
  }

  /** These three refuse an id that is not there. */
  getUser(id: string): Row {
    return this.get('user', id);
  }

  getOrder(id: string): Row {
    return this.get('order', id);
  }

  getProduct(id: string): Row {
    return this.get('product', id);
  }

  /** The sha256 of the whole database, keys sorted, in hexadecimal. */
  hash(): string {
    return createHash('sha256')
      .update(writePythonJson(this.tables, { sortKeys: true }))
      .digest('hex');
  }

  private get(kind: 'user' | 'order' | 'product', id: string): Row {
    const table = readRow(this.tables, `${kind}s`);
    if (!table.has(id)) throw new Refusal(`${kind} not found`);
    return readRow(table, id);
  }
}
