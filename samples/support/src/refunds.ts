import { inject, tool, type ToolContext } from 'adorn';

import { OrderAccess } from './order-access.js';
import { refuse, type Refusal } from './refusal.js';
import { Payments } from './shop/payments.js';
import { ShopDatabase } from './shop/shop-database.js';
import { money } from './shop/money.js';
import type { Order, ReturnRecord } from './shop/shop-records.js';

/** Up to this much is goodwill, and nobody is asked. */
const GOODWILL_CENTS = 1_000;

/** Above this, a supervisor says yes, and not the customer. */
const SUPERVISED_CENTS = 15_000;

export interface Refund {
  status: 'ok';
  orderId: string;
  refunded: string;
  /** What may still be paid back for this order. */
  left: string;
}

/** Money and orders that do not come back: a person says yes before anything here happens. */
export class Refunds {
  constructor(
    @inject(OrderAccess) private readonly access: OrderAccess,
    @inject(ShopDatabase) private readonly shop: ShopDatabase,
    @inject(Payments) private readonly payments: Payments,
  ) {}

  /**
   * Refund an order: give money back, all or a part. Use it only after the customer gave the order number and
   * the amount.
   * @param orderId Order number, such as "W2611340".
   * @param cents Amount in cents. @minimum 1
   * @param reason Why the money goes back.
   */
  // Idempotent by the key of the call: a refund whose process died is repeated, and the money goes back once.
  @tool({
    effect: 'destructive',
    idempotent: true,
    confirm: (orderId, cents) =>
      cents > GOODWILL_CENTS &&
      `Refund ${money(cents)} for order ${orderId} to the account that paid for it?`,
    approvers: (_orderId, cents) => (cents > SUPERVISED_CENTS ? { role: 'supervisor' } : 'requester'),
  })
  refundOrder(
    orderId: string,
    cents: number,
    context: ToolContext,
    reason?: 'damaged' | 'missing' | 'late' | 'goodwill',
  ): Refund | Refusal {
    const found = this.access.find(orderId, context);
    if (found.status !== 'ok') return found;
    const key = context.idempotencyKey;
    // A repeated call is in the order already.
    const left = refundable(found.order) - (this.payments.hasPaid(key) ? 0 : cents);
    if (left < 0) {
      return refuse(
        'not_possible',
        `At most ${money(refundable(found.order))} of ${orderId} can be refunded.`,
      );
    }
    const isNew = this.payments.payBack({ key, orderId: found.order.id, cents });
    if (isNew) found.order.refundedCents += cents;
    if (reason !== undefined) context.state.set('refund_reason', reason);
    return { status: 'ok', orderId: found.order.id, refunded: money(cents), left: money(left) };
  }

  /**
   * Cancel an order that is not packed yet. All that was paid for it is credited.
   * @param orderId Order number, such as "W2694415".
   */
  @tool({ effect: 'destructive', approvers: 'requester' })
  cancelOrder(orderId: string, context: ToolContext): Refund | Refusal {
    const found = this.access.find(orderId, context);
    if (found.status !== 'ok') return found;
    const { order } = found;
    if (order.status !== 'processing') {
      return refuse(
        'not_possible',
        `Order ${order.id} is ${order.status}: it can come back as a return instead.`,
      );
    }
    const cents = refundable(order);
    order.status = 'cancelled';
    order.refundedCents = order.totalCents;
    return { status: 'ok', orderId: order.id, refunded: money(cents), left: money(0) };
  }

  /**
   * Announce the return of a product from a delivered order, within 30 days. The customer gets a label by mail.
   * @param orderId Order number, such as "W2611340".
   * @param productId Product number, such as "P-1183".
   * @param reason Why it comes back.
   */
  @tool({ effect: 'write' })
  announceReturn(
    orderId: string,
    productId: string,
    reason: 'damaged' | 'wrong size' | 'not as described' | 'changed my mind',
    context: ToolContext,
  ): { status: 'ok'; returnId: string } | Refusal {
    const found = this.access.find(orderId, context);
    if (found.status !== 'ok') return found;
    if (!found.order.items.some((item) => item.productId === productId)) {
      return refuse('not_found', `Order ${orderId} holds no ${productId}.`);
    }
    if (!this.isReturnable(found.order)) {
      return refuse(
        'not_possible',
        `Order ${orderId} cannot be returned: not delivered, or more than 30 days ago.`,
      );
    }
    return { status: 'ok', returnId: this.open({ orderId, productId, reason }) };
  }

  private isReturnable({ id, status }: Order): boolean {
    const delivered = this.shop.shipments.find(({ orderId }) => orderId === id)?.deliveredOn;
    if (status !== 'delivered' || delivered === undefined) return false;
    return Date.parse(this.shop.today) - Date.parse(delivered) <= 30 * 86_400_000;
  }

  private open(wish: Pick<ReturnRecord, 'orderId' | 'productId' | 'reason'>): string {
    const id = `R-${String(4001 + this.shop.returns.length)}`;
    this.shop.returns.push({ id, ...wish, status: 'announced' });
    return id;
  }
}

function refundable({ totalCents, refundedCents, status }: Order): number {
  return status === 'cancelled' ? 0 : totalCents - refundedCents;
}
