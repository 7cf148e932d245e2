import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Money that went back to a customer. */
export interface Payment {
  /** Of the call that asked for it. */
  readonly key: string;
  readonly orderId: string;
  readonly cents: number;
}

/** The payment provider: it pays each key once, however often it is asked. */
export class Payments {
  protected readonly paid = new Map<string, Payment>();

  /** How many payments were made. */
  get count(): number {
    return this.paid.size;
  }

  /** True if the call with that key was paid: it is repeated, because its process died. */
  hasPaid(key: string): boolean {
    return this.paid.has(key);
  }

  /** @returns false if the key was paid before */
  payBack(payment: Payment): boolean {
    if (this.hasPaid(payment.key)) return false;
    this.paid.set(payment.key, payment);
    return true;
  }
}

/** Payments in a file, one a line: a restart does not forget them. */
export class StoredPayments extends Payments {
  constructor(private readonly file: string) {
    super();
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const payment = JSON.parse(line) as Payment;
      this.paid.set(payment.key, payment);
    }
  }

  override payBack(payment: Payment): boolean {
    if (!super.payBack(payment)) return false;
    appendFileSync(this.file, `${JSON.stringify(payment)}\n`);
    return true;
  }
}
