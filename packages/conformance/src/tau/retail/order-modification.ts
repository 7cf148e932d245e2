import { type Address, setAddress } from './address.js';
import { type ItemSwap, priceDifferenceOf, swapItems } from './item-swap.js';
import { credit, findPaymentMethod, getPaymentMethod, refuseIfShort } from './payment-method.js';
import { magnitude, multiply } from './python-json.js';
import { Refusal } from './refusal.js';
import type { RetailDatabase } from './retail-database.js';
import { readAmount, readRows, readText, type Row } from './row.js';
import { transaction } from './transaction.js';

/** Sends a pending order elsewhere. */
export function modifyAddress(database: RetailDatabase, orderId: string, address: Address): Row {
  return setAddress(getPendingOrder(database, orderId), address);
}

/** Swaps items of a pending order and settles the difference at once. It cannot be modified again. */
export function modifyItems(
  database: RetailDatabase,
  orderId: string,
  swap: ItemSwap,
  paymentMethodId: string,
): Row {
  const order = getPendingOrder(database, orderId);
  const difference = priceDifferenceOf(database, order, swap);
  const method = getPaymentMethod(database.getUser(readText(order, 'user_id')), paymentMethodId);
  refuseIfShort(method, difference, 'the new item');

  const type = difference > 0 ? 'payment' : 'refund';
  readRows(order, 'payment_history').push(transaction(type, magnitude(difference), paymentMethodId));
  credit(method, multiply(difference, -1n));
  swapItems(database, order, swap);
  return order.set('status', 'pending (item modified)');
}

/** Has a pending order paid by another method of the same user, and pays the first one back. */
export function modifyPayment(database: RetailDatabase, orderId: string, paymentMethodId: string): Row {
  const order = getPendingOrder(database, orderId);
  const user = database.getUser(readText(order, 'user_id'));
  const method = getPaymentMethod(user, paymentMethodId);
  const [amount, formerId] = getOnlyPayment(order);
  if (formerId === paymentMethodId) {
    throw new Refusal('the new payment method should be different from the current one');
  }
  refuseIfShort(method, amount, 'the order');

  const former = findPaymentMethod(user, formerId);
  const payment = transaction('payment', amount, paymentMethodId);
  readRows(order, 'payment_history').push(payment, transaction('refund', amount, formerId));
  credit(method, multiply(amount, -1n));
  if (former) credit(former, amount);
  return order;
}

function getPendingOrder(database: RetailDatabase, orderId: string): Row {
  const order = database.getOrder(orderId);
  if (readText(order, 'status') === 'pending') return order;
  throw new Refusal('non-pending order cannot be modified');
}

function getOnlyPayment(order: Row): [amount: ReturnType<typeof readAmount>, paymentMethodId: string] {
  const [payment, ...others] = readRows(order, 'payment_history');
  if (!payment || others.length > 0 || readText(payment, 'transaction_type') !== 'payment') {
    throw new Refusal('there should be exactly one payment for a pending order');
  }
  return [readAmount(payment, 'amount'), readText(payment, 'payment_method_id')];
}
