import { describeArtifactService } from '@adorn/testing/contracts';

import { InMemoryArtifactService } from './in-memory-artifact.service.js';

describeArtifactService('InMemoryArtifactService', async () => new InMemoryArtifactService());
