import { AdornError } from '@adorn/core';

import { NotADatabaseError, StorageFullError, StorageUnavailableError } from '../errors/errors.js';
import { folderFault } from './sqlite/unwritable-folder.js';

/** SQLite's names, PostgreSQL's SQLSTATEs and Node's names, by their meaning. */
const FULL = /^(SQLITE_FULL|SQLITE_IOERR_(WRITE|SHMSIZE|TRUNCATE)|53100|ENOSPC|EDQUOT)$/;
const DAMAGED = /^(SQLITE_NOTADB|SQLITE_CORRUPT(_.+)?)$/;
const AWAY =
  /^(SQLITE_(BUSY|LOCKED|PROTOCOL|CANTOPEN|READONLY|IOERR|PERM)(_.+)?|08...|28...|3D000|53...|57P..|57014|E(CONN.+|NOENT|ACCES|PIPE|TIMEDOUT|HOSTUNREACH|AI_AGAIN|NOTFOUND|ISDIR))$/;

/** SQLite cannot open the file, or cannot write to it or beside it. */
const NOT_WRITABLE = /^SQLITE_(CANTOPEN|READONLY|PERM)(_.+)?$/;
const NOT_OPENED_BY_WORDS = /Unable to open connection to local database/;

/** libsql and pg give some faults no code. */
const AWAY_BY_WORDS =
  /Unable to open connection|Connection terminated|timeout expired|timeout exceeded|Client has encountered a connection error|not queryable/i;

/** Converts an error of a driver to an `AdornError`. Unknown errors are returned unchanged. */
export function storageFault(error: unknown, place: string): Error {
  const fault = asError(error);
  if (AdornError.is(fault)) return fault;
  const code = codeOf(fault);
  if (FULL.test(code)) return new StorageFullError(place, fault);
  if (DAMAGED.test(code)) return new NotADatabaseError(place, fault);
  if (NOT_WRITABLE.test(code) || NOT_OPENED_BY_WORDS.test(fault.message))
    return new StorageUnavailableError(place, fault, folderFault(place));
  if (AWAY.test(code) || AWAY_BY_WORDS.test(fault.message)) return new StorageUnavailableError(place, fault);
  return fault;
}

/** True if another connection holds a lock on the SQLite file. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|PROTOCOL)/.test(codeOf(asError(error)));
}

/** True if the server did not answer in time. */
export function isTimeout(error: unknown): boolean {
  return codeOf(asError(error)) === 'ETIMEDOUT';
}

/** True if PostgreSQL aborted the transaction because of a conflict with another one. */
export function isSerializationFailure(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(asError(error)));
}

/** True if PostgreSQL, or a pooler before it, does not know a prepared statement, or has another of its name. */
export function isNameRefused(error: unknown): boolean {
  return /^(26000|42P05)$/.test(codeOf(asError(error)));
}

/** True if a statement names a table that does not exist. */
export function isTableMissing(error: unknown): boolean {
  const fault = asError(error);
  return codeOf(fault) === '42P01' || fault.message.includes('no such table');
}

/** True if a constraint refused the row. `constraint` is part of its name, or of the message of SQLite. */
export function isRefused(error: unknown, constraint: string): boolean {
  const fault = asError(error);
  if (!/^(23\d{3}|SQLITE_CONSTRAINT.*)$/.test(codeOf(fault))) return false;
  return `${(fault as { constraint?: string }).constraint ?? ''} ${fault.message}`.includes(constraint);
}

function codeOf(error: Error): string {
  const { code } = error as { code?: string };
  const [nested] = (error as { errors?: readonly Error[] }).errors ?? [];
  return code === undefined && nested ? codeOf(nested) : (code ?? '');
}

function asError(error: unknown): Error {
  const isError = typeof error === 'object' && error !== null && 'message' in error;
  return isError ? (error as Error) : new Error(String(error));
}
