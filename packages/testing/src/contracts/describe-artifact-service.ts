import type { ArtifactService } from '@adorn/core';
import { describe } from './test-runner.js';

import { promisesOfNames } from './artifacts/names.js';
import { promisesOfRefusals } from './artifacts/refusals.js';
import { promisesOfScopes } from './artifacts/scopes.js';
import { promisesOfStreams } from './artifacts/streams.js';
import { promisesOfVersions } from './artifacts/versions.js';

/** Opens a service that holds nothing yet. */
export type OpenArtifacts = () => Promise<ArtifactService>;

/** The contract of artifact services. A new backend is complete when this suite passes. */
export function describeArtifactService(name: string, open: OpenArtifacts): void {
  describe(`${name} as an ArtifactService`, () => {
    promisesOfVersions(open);
    promisesOfScopes(open);
    promisesOfNames(open);
    promisesOfRefusals(open);
    promisesOfStreams(open);
  });
}
