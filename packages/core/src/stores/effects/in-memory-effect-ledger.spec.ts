import { describeEffectLedger } from '@adorn/testing/contracts';

import { InMemoryEffectLedger } from './in-memory-effect-ledger.js';

describeEffectLedger('InMemoryEffectLedger', async () => new InMemoryEffectLedger());
