import type { RunRecord } from '@adorn/core/backend';

import type { Insertable } from 'kysely';

import { nameFrom, storedName } from '../../database/stored-name.js';
import type { RunsTable } from '../../database/tables.js';

/** The columns of a run in a query that joins `adorn_runs as run`. */
export const RUN_COLUMNS = [
  'run.id as run_id',
  'run.continues as run_continues',
  'run.status as run_status',
  'run.epoch as run_epoch',
  'run.opened_at as run_opened_at',
  'run.attempts as run_attempts',
] as const;

export interface RunColumns {
  readonly run_id: string;
  readonly run_continues: string | null;
  readonly run_status: RunsTable['status'];
  readonly run_epoch: number;
  readonly run_opened_at: number;
  readonly run_attempts: number;
}

/** The columns of an outer join: all of them are null if there is no run. */
export type JoinedRun = RunColumns | { readonly [Column in keyof RunColumns]: RunColumns[Column] | null };

/** A session without a run. */
export const NO_RUN = {
  run_id: null,
  run_continues: null,
  run_status: null,
  run_epoch: null,
  run_opened_at: null,
  run_attempts: null,
} as const;

export function runFrom(row: RunColumns): RunRecord;
export function runFrom(row: JoinedRun): RunRecord | undefined;
export function runFrom(row: JoinedRun): RunRecord | undefined {
  if (row.run_id === null) return undefined;
  const { run_id, run_continues, run_status, run_epoch, run_opened_at, run_attempts } = row as RunColumns;
  return Object.freeze({
    id: nameFrom(run_id),
    continues: run_continues === null ? undefined : nameFrom(run_continues),
    status: run_status,
    epoch: run_epoch,
    openedAt: run_opened_at,
    attempts: run_attempts,
  });
}

export function runRow(
  no: number,
  { id, continues, status, epoch, openedAt, attempts }: RunRecord,
): Insertable<RunsTable> {
  return {
    session_no: no,
    id: storedName(id),
    continues: continues === undefined ? null : storedName(continues),
    status,
    epoch,
    opened_at: openedAt,
    attempts,
  };
}
