import {
  RequestNotPendingError,
  SessionConflictError,
  SessionNotFoundError,
  SessionTakenOverError,
} from '@adorn/core/backend';

import type { Queries } from '../../database/database.js';
import { nameFrom } from '../../database/stored-name.js';
import { epochIn } from '../claim-invocation.js';
import type { EventWrite } from './event-write.js';

/** Why a session did not take an event. */
export async function refusalOf(
  queries: Queries,
  { id }: { readonly id: string },
  { sessionNo, expectedSeq, epoch, epochOf }: EventWrite,
): Promise<Error> {
  const row = await queries
    .selectFrom('adorn_sessions')
    .select(['next_seq', 'epochs'])
    .where('no', '=', sessionNo)
    .executeTakeFirst();
  if (row === undefined) return new SessionNotFoundError(id);
  const current = epochIn(row.epochs, epochOf);
  if (epoch !== undefined && epoch < current)
    return new SessionTakenOverError(id, nameFrom(epochOf), epoch, current);
  return new SessionConflictError(id, expectedSeq ?? row.next_seq, row.next_seq);
}

/** Which of the requests was answered already. */
export async function answeredBefore(queries: Queries, { sessionNo, consumes }: EventWrite): Promise<Error> {
  const answered = await queries
    .selectFrom('adorn_requests')
    .select('id')
    .where('session_no', '=', sessionNo)
    .where('id', 'in', consumes)
    .where('answered_seq', 'is not', null)
    .executeTakeFirst();
  return new RequestNotPendingError(nameFrom(answered?.id ?? consumes.join(', ')));
}
