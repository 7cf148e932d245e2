import { type ItemSwap, priceDifferenceOf } from './item-swap.js';
import { getPaymentMethod, refuseIfShort } from './payment-method.js';
import { roundToCents, sortTexts } from './python-json.js';
import { Refusal } from './refusal.js';
import type { RetailDatabase } from './retail-database.js';
import { readText, type Row } from './row.js';

/** Notes which items of a delivered order are to be exchanged. Money moves when the items have come back. */
export function exchangeItems(
  database: RetailDatabase,
  orderId: string,
  swap: ItemSwap,
  paymentMethodId: string,
): Row {
  const order = database.getOrder(orderId);
  if (readText(order, 'status') !== 'delivered') throw new Refusal('non-delivered order cannot be exchanged');
  const difference = roundToCents(priceDifferenceOf(database, order, swap));
  const method = getPaymentMethod(database.getUser(readText(order, 'user_id')), paymentMethodId);
  refuseIfShort(method, difference, 'the price difference');

  return order
    .set('status', 'exchange requested')
    .set('exchange_items', sortTexts(swap.itemIds))
    .set('exchange_new_items', sortTexts(swap.newItemIds))
    .set('exchange_payment_method_id', paymentMethodId)
    .set('exchange_price_difference', difference);
}
