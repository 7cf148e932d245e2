import { inject, tool, type ToolContext } from 'adorn';

import { notVerified, refuse, type Refusal } from './refusal.js';
import { ShopDatabase } from './shop/shop-database.js';
import type { Customer, Tier } from './shop/shop-records.js';

/** Who the customer is, and what the shop knows about them. */
export class Customers {
  constructor(@inject(ShopDatabase) private readonly shop: ShopDatabase) {}

  /**
   * Verify who the customer is. Needed once, before anything about their orders or their account is said.
   * @param email The e-mail address of their account, such as "ada.keller@example.com".
   * @param postcode The postcode of their address, such as "10969".
   */
  // Idempotent: a verification whose process died is repeated, and nobody has to say who they are again.
  @tool({ idempotent: true })
  verifyCustomer(
    email: string,
    postcode: string,
    context: ToolContext,
  ): { status: 'ok'; name: string } | Refusal {
    const customer = this.shop.customers.find((one) => one.email === email.trim().toLowerCase());
    if (customer?.address.postcode !== postcode.trim()) {
      return refuse('not_found', 'No account has this e-mail address and this postcode.');
    }
    context.state.set('customer', customer.id);
    context.state.set('customer_name', customer.name);
    return { status: 'ok', name: customer.name };
  }

  /** Show the verified customer's loyalty points and tier. */
  @tool({ effect: 'read' })
  getLoyalty(
    context: ToolContext,
  ): { status: 'ok'; tier: Tier; points: number; freeShipping: boolean } | Refusal {
    const customer = this.find(context);
    if (customer === undefined) return notVerified();
    const { tier, points } = customer;
    return { status: 'ok', tier, points, freeShipping: tier !== 'standard' };
  }

  /**
   * Remember how the customer wants to be contacted, in this conversation and all later ones.
   * @param channel The way they prefer.
   */
  @tool({ effect: 'write' })
  setContactPreference(
    channel: 'email' | 'sms' | 'phone' | 'none',
    context: ToolContext,
  ): { status: 'ok'; channel: string } {
    context.state.set('user:contact', channel);
    return { status: 'ok', channel };
  }

  /**
   * Leave a note for the shop's staff in the verified customer's account, when something needs a human.
   * @param note What the staff should know, in one or two sentences.
   */
  @tool({ effect: 'write' })
  addNote(note: string, context: ToolContext): { status: 'ok'; notes: number } | Refusal {
    const customer = this.find(context);
    if (customer === undefined) return notVerified();
    return { status: 'ok', notes: customer.notes.push(note) };
  }

  private find(context: ToolContext): Customer | undefined {
    return this.shop.customers.find(({ id }) => id === context.state.get('customer'));
  }
}
