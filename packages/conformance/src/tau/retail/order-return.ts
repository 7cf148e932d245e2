import { findMissingItem } from './item-swap.js';
import { getPaymentMethod, isGiftCard } from './payment-method.js';
import { sortTexts } from './python-json.js';
import { Refusal } from './refusal.js';
import type { RetailDatabase } from './retail-database.js';
import { readRows, readText, type Row } from './row.js';

/** Notes which items of a delivered order are to be returned. Money moves when the items have come back. */
export function returnItems(
  database: RetailDatabase,
  orderId: string,
  itemIds: readonly string[],
  paymentMethodId: string,
): Row {
  const order = database.getOrder(orderId);
  if (readText(order, 'status') !== 'delivered') throw new Refusal('non-delivered order cannot be returned');
  const method = getPaymentMethod(database.getUser(readText(order, 'user_id')), paymentMethodId);
  if (!isGiftCard(method) && !isFirstPayment(order, paymentMethodId)) {
    throw new Refusal('payment method should be either the original payment method or a gift card');
  }
  if (findMissingItem(order, itemIds) !== undefined) throw new Refusal('some item not found');

  return order
    .set('status', 'return requested')
    .set('return_items', sortTexts(itemIds))
    .set('return_payment_method_id', paymentMethodId);
}

function isFirstPayment(order: Row, paymentMethodId: string): boolean {
  const [first] = readRows(order, 'payment_history');
  return first !== undefined && readText(first, 'payment_method_id') === paymentMethodId;
}
