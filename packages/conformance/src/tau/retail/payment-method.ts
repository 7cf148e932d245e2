import { add, type PythonNumber, roundToCents } from './python-json.js';
import { Refusal } from './refusal.js';
import { readAmount, readRow, readText, type Row } from './row.js';

/** One of the user's own payment methods. Refuses any other. */
export function getPaymentMethod(user: Row, id: string): Row {
  const method = findPaymentMethod(user, id);
  if (!method) throw new Refusal('payment method not found');
  return method;
}

export function findPaymentMethod(user: Row, id: string): Row | undefined {
  const methods = readRow(user, 'payment_methods');
  return methods.has(id) ? readRow(methods, id) : undefined;
}

export function isGiftCard(method: Row): boolean {
  return readText(method, 'source') === 'gift_card';
}

/** Only a gift card can be short of money. `purpose` ends the sentence of the refusal. */
export function refuseIfShort(method: Row, amount: PythonNumber, purpose: string): void {
  if (isGiftCard(method) && readAmount(method, 'balance') < amount) {
    throw new Refusal(`insufficient gift card balance to pay for ${purpose}`);
  }
}

/** Moves money to a gift card at once; a negative amount leaves it. Other methods are settled by the bank. */
export function credit(method: Row, amount: PythonNumber): void {
  if (!isGiftCard(method)) return;
  method.set('balance', roundToCents(add(readAmount(method, 'balance'), amount)));
}
