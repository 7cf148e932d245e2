import { inject, tool, ToolContext } from 'adorn';

import { Address } from './address.js';
import { Ledger } from './ledger.js';
import { OrderStatus } from './order-status.js';
import type { Parcel } from './parcel.js';

/** The orders of a shop. */
export class Orders {
  constructor(@inject(Ledger) private readonly ledger: Ledger) {}

  /**
   * Lists orders.
   * @param status How far they are.
   * @param since Only those placed then or later.
   * @param limit How many at most. @minimum 1
   */
  @tool
  listOrders(status: OrderStatus, since: Date, limit = 10): string {
    this.ledger.note('listOrders', status, since instanceof Date && since.toISOString(), limit);
    return `${limit} orders`;
  }

  /**
   * Sends a parcel.
   * @param note Printed on the box.
   */
  @tool({ effect: 'write' })
  sendParcel(parcel: Parcel, context: ToolContext, address: Address, note?: string): { to: string } {
    const to = address instanceof Address ? address.label() : 'nowhere';
    this.ledger.note('sendParcel', parcel, context instanceof ToolContext, to, note === undefined);
    return { to };
  }

  /** Marks orders. */
  @tool
  labelOrders(label: 'gift' | 'rush', ...ids: string[]): void {
    this.ledger.note('labelOrders', label, ...ids);
  }
}
