import type { PythonDict, PythonNumber, PythonValue } from './python-json.js';

/** One record of the database, such as an order, one of its items or a payment. */
export type Row = PythonDict;

/** These read one column, and throw a TypeError where the data has another shape than the tools rely on. */
export function readText(row: Row, column: string): string {
  return read(row, column, isText, 'a text');
}

export function readTruth(row: Row, column: string): boolean {
  return read(row, column, (value) => typeof value === 'boolean', 'true or false');
}

export function readAmount(row: Row, column: string): PythonNumber {
  return read(row, column, (value) => typeof value === 'number' || typeof value === 'bigint', 'a number');
}

export function readRow(row: Row, column: string): Row {
  return read(row, column, isRow, 'a record');
}

/** The list itself, not a copy: what is pushed to it is in the database. */
export function readRows(row: Row, column: string): Row[] {
  return read(row, column, (value) => isListOf(value, isRow), 'a list of records');
}

function read<Kind extends PythonValue>(
  row: Row,
  column: string,
  isKind: (value: PythonValue | undefined) => value is Kind,
  kind: string,
): Kind {
  const value = row.get(column);
  if (isKind(value)) return value;
  throw new TypeError(
    `The database holds no ${column} that is ${kind}: check that db.json is the retail one.`,
  );
}

function isText(value: PythonValue | undefined): value is string {
  return typeof value === 'string';
}

function isRow(value: PythonValue | undefined): value is Row {
  return value instanceof Map;
}

function isListOf<Kind extends PythonValue>(
  value: PythonValue | undefined,
  isKind: (value: PythonValue) => value is Kind,
): value is Kind[] {
  return Array.isArray(value) && value.every(isKind);
}
