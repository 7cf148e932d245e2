import type { MemoryService } from '@adorn/core';
import { describe } from './test-runner.js';

import { promisesOfAdding } from './memory/adding.js';
import { promisesOfCorrections, promisesOfNameLengths, promisesOfOwners } from './memory/scopes.js';
import { promisesOfSearching } from './memory/searching.js';

/** Opens a service that holds nothing yet. */
export type OpenMemory = () => Promise<MemoryService>;

/** The contract of memory services. A new backend is complete when this suite passes. */
export function describeMemoryService(name: string, open: OpenMemory): void {
  describe(`${name} as a MemoryService`, () => {
    promisesOfAdding(open);
    promisesOfSearching(open);
    promisesOfOwners(open);
    promisesOfCorrections(open);
    promisesOfNameLengths(open);
  });
}
