import type { PythonNumber } from './python-json.js';
import type { Row } from './row.js';

/** A line of an order's payment history. */
export function transaction(type: 'payment' | 'refund', amount: PythonNumber, paymentMethodId: string): Row {
  return new Map<string, PythonNumber | string>([
    ['transaction_type', type],
    ['amount', amount],
    ['payment_method_id', paymentMethodId],
  ]);
}
