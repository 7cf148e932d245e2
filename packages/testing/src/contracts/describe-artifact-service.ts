import type { ArtifactService } from '@adorn/core';
import { describe } from './test-runner.js';

import { promisesOfErasure } from './artifacts/erasure.js';
import { promisesOfNames } from './artifacts/names.js';
import { promisesOfRefusals } from './artifacts/refusals.js';
import { promisesOfScopes } from './artifacts/scopes.js';
import { promisesOfStreams } from './artifacts/streams.js';
import { promisesOfNumberedVersions } from './artifacts/numbered-versions.js';
import { promisesOfVersions } from './artifacts/versions.js';

/** Opens a service that holds nothing yet. */
export type OpenArtifacts = () => Promise<ArtifactService>;

/** What an artifact service need not have. */
export interface ArtifactContractOptions {
  /** Methods that the backend does not override: they must reject with `NOT_SUPPORTED`. Default: none. */
  readonly lacks?: readonly OptionalArtifactMethod[];
}

/** The methods of an artifact service that a backend need not override. */
export type OptionalArtifactMethod = 'deleteOlder' | 'saveVersion';

/** The contract of artifact services. A new backend is complete when this suite passes. */
export function describeArtifactService(
  name: string,
  open: OpenArtifacts,
  { lacks = [] }: ArtifactContractOptions = {},
): void {
  describe(`${name} as an ArtifactService`, () => {
    promisesOfVersions(open);
    promisesOfNumberedVersions(open, lacks);
    promisesOfScopes(open);
    promisesOfErasure(open, lacks);
    promisesOfNames(open);
    promisesOfRefusals(open);
    promisesOfStreams(open);
  });
}
