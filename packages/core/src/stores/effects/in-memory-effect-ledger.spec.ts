import { describeEffectLedger } from '@adorn/testing/contracts';

import { SystemClock } from '../../runtime/clock.js';
import { InMemoryEffectLedger } from './in-memory-effect-ledger.js';

describeEffectLedger('InMemoryEffectLedger', async () => new InMemoryEffectLedger(new SystemClock()));
