import type { SessionService } from '@adorn/core';
import { describe } from './test-runner.js';

import { promisesOfAppending } from './sessions/appending.js';
import { promisesOfAppendConflicts, promisesOfClaims } from './sessions/claims.js';
import { promisesOfConcurrency } from './sessions/concurrency.js';
import { promisesOfEvents } from './sessions/events.js';
import { promisesOfFilters } from './sessions/filters.js';
import { promisesOfLifecycle } from './sessions/lifecycle.js';
import { promisesOfListing } from './sessions/listing.js';
import { promisesOfLacking } from './sessions/lacking.js';
import { promisesOfMoving, promisesOfTitles } from './sessions/moving.js';
import { promisesOfNameLengths } from './sessions/name-lengths.js';
import { promisesOfNames } from './sessions/names.js';
import { promisesOfOwners } from './sessions/owners.js';
import { promisesOfState } from './sessions/state.js';
import { promisesOfStateUpdates } from './sessions/state-updates.js';
import { promisesOfSummaries } from './sessions/summaries.js';
import { promisesOfLastEvents } from './sessions/last-events.js';

/** Opens a service that holds nothing yet. */
export type OpenSessions = () => Promise<SessionService>;

/** Methods that a backend may omit; it then has those of the base class. */
export type OptionalSessionMethod = 'claimInvocation' | 'listByLastEvent' | 'renameSession' | 'stateUpdates';

export interface SessionContractOptions {
  /**
   * Methods that the backend does not override. Their tests are left out; instead `claimInvocation`, `listByLastEvent` and
   * `renameSession` must reject with `NOT_SUPPORTED`, and `stateUpdates` must give an empty list.
   */
  readonly lacks?: readonly OptionalSessionMethod[];
}

/** The contract of session services. A new backend is complete when this suite passes. */
export function describeSessionService(
  name: string,
  open: OpenSessions,
  { lacks = [] }: SessionContractOptions = {},
): void {
  describe(`${name} as a SessionService`, () => {
    promisesOfLifecycle(open);
    promisesOfState(open);
    if (!lacks.includes('stateUpdates')) promisesOfStateUpdates(open);
    promisesOfAppending(open);
    promisesOfEvents(open);
    promisesOfFilters(open);
    promisesOfListing(open);
    promisesOfOwners(open);
    promisesOfNames(open);
    promisesOfNameLengths(open, lacks);
    promisesOfConcurrency(open);
    promisesOfAppendConflicts(open);
    if (!lacks.includes('claimInvocation')) promisesOfClaims(open);
    promisesOfMoving(open);
    if (!lacks.includes('renameSession')) promisesOfTitles(open);
    if (!lacks.includes('listByLastEvent')) promisesOfLastEvents(open);
    promisesOfLacking(open, lacks);
    promisesOfSummaries(open);
  });
}
