import { credit, findPaymentMethod } from './payment-method.js';
import { Refusal } from './refusal.js';
import type { RetailDatabase } from './retail-database.js';
import { readAmount, readRows, readText, type Row } from './row.js';
import { transaction } from './transaction.js';

const REASONS: readonly string[] = ['no longer needed', 'ordered by mistake'];

/** Cancels a pending order and pays back whatever was paid for it, the way it was paid. */
export function cancelOrder(database: RetailDatabase, orderId: string, reason: string): Row {
  const order = database.getOrder(orderId);
  if (readText(order, 'status') !== 'pending') throw new Refusal('non-pending order cannot be cancelled');
  if (!REASONS.includes(reason)) throw new Refusal('invalid reason');

  const history = readRows(order, 'payment_history');
  const user = database.getUser(readText(order, 'user_id'));
  history.push(...history.map((payment) => refund(user, payment)));
  return order.set('status', 'cancelled').set('cancel_reason', reason);
}

function refund(user: Row, payment: Row): Row {
  const amount = readAmount(payment, 'amount');
  const id = readText(payment, 'payment_method_id');
  const method = findPaymentMethod(user, id);
  if (method) credit(method, amount);
  return transaction('refund', amount, id);
}
