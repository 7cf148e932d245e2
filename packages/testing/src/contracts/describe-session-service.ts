import type { SessionService } from '@adorn/core';
import { describe } from '@jest/globals';

import { promisesOfAppending } from './sessions/appending.js';
import { promisesOfClaims } from './sessions/claims.js';
import { promisesOfConcurrency } from './sessions/concurrency.js';
import { promisesOfEvents } from './sessions/events.js';
import { promisesOfFilters } from './sessions/filters.js';
import { promisesOfLifecycle } from './sessions/lifecycle.js';
import { promisesOfListing } from './sessions/listing.js';
import { promisesOfMoving } from './sessions/moving.js';
import { promisesOfNameLengths } from './sessions/name-lengths.js';
import { promisesOfNames } from './sessions/names.js';
import { promisesOfOwners } from './sessions/owners.js';
import { promisesOfState } from './sessions/state.js';
import { promisesOfStateUpdates } from './sessions/state-updates.js';
import { promisesOfSummaries } from './sessions/summaries.js';

/** Opens a service that holds nothing yet. */
export type OpenSessions = () => Promise<SessionService>;

/** What every session service promises. A new backend is done when this passes. */
export function describeSessionService(name: string, open: OpenSessions): void {
  describe(`${name} as a SessionService`, () => {
    promisesOfLifecycle(open);
    promisesOfState(open);
    promisesOfStateUpdates(open);
    promisesOfAppending(open);
    promisesOfEvents(open);
    promisesOfFilters(open);
    promisesOfListing(open);
    promisesOfOwners(open);
    promisesOfNames(open);
    promisesOfNameLengths(open);
    promisesOfConcurrency(open);
    promisesOfClaims(open);
    promisesOfMoving(open);
    promisesOfSummaries(open);
  });
}
