import { describeEffectLedger } from '@adorn/testing/contracts';

import { describeEachDatabase } from '../database/backends.fixture.js';
import { SqlEffectLedger } from './sql-effect-ledger.js';

describeEachDatabase((name, open) => {
  describeEffectLedger(`SqlEffectLedger on ${name}`, async () => new SqlEffectLedger(await open()));
});
