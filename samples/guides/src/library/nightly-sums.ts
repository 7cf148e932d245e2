import { setImmediate } from 'node:timers/promises';

import { type Occurrence, schedule } from '@adorn/schedules';
import { inject } from 'adorn';

import { Loans } from './loans.js';

/** Sums the loans of yesterday for each tenant. */
export class NightlySums {
  constructor(@inject(Loans) private readonly loans: Loans) {}

  @schedule('0 2 * * *', { timeZone: 'Europe/Berlin', missed: 'all' })
  async nightly({ id, dayBefore }: Occurrence): Promise<void> {
    for (const tenant of this.loans.tenants()) {
      this.loans.storeSum(tenant, id, dayBefore);
      await setImmediate(); // the process does its other work between two tenants
    }
  }
}
