import { describeSessionService } from '@adorn/testing/contracts';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlSessionService } from './sql-session.service.js';

describeEachDatabase((name, open) => {
  describeSessionService(`SqlSessionService on ${name}`, async () => new SqlSessionService(await open()));
});
