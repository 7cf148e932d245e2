import { agent, inject, LlmAgent, tool } from 'adorn';

import { Ledger } from './ledger.js';
import { Orders } from './orders.js';
import { quoteDelivery } from './quote-delivery.js';
import { weighParcel } from './weigh-parcel.js';

/** Sells things. */
@agent({ name: 'shop', instruction: 'Help with orders.', tools: [Orders, weighParcel, quoteDelivery] })
export class Shop extends LlmAgent {
  constructor(@inject(Ledger) private readonly ledger: Ledger) {
    super();
  }

  /** Counts what was done so far. */
  @tool
  countEntries(): number {
    return this.ledger.entries.length;
  }
}
