import { describeSessionService } from '@adorn/testing/contracts';

import { InMemorySessionService } from './in-memory-session.service.js';

describeSessionService('InMemorySessionService', async () => new InMemorySessionService());
