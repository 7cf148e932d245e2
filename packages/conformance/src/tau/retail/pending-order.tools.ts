import { inject, tool } from 'adorn';

import { cancelOrder } from './order-cancellation.js';
import { modifyAddress, modifyItems, modifyPayment } from './order-modification.js';
import { RetailDatabase } from './retail-database.js';
import { rowAnswer } from './row-answer.js';

/** Tools of the retail benchmark that change orders before they are sent. Words, types and answers are the published ones. */
export class PendingOrderTools {
  constructor(@inject(RetailDatabase) private readonly database: RetailDatabase) {}

  /**
   * Cancel a pending order. If the order is already processed or delivered, it cannot be cancelled. The agent
   * needs to explain the cancellation detail and ask for explicit user confirmation (yes/no) to proceed. If
   * the user confirms, the order status will be changed to 'cancelled' and the payment will be refunded. The
   * refund will be added to the user's gift card balance immediately if the payment was made using a gift
   * card, otherwise the refund would take 5-7 business days to process. The function returns the order
   * details after the cancellation.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param reason The reason for cancellation, which should be either 'no longer needed' or 'ordered by
   * mistake'.
   */
  @tool({ effect: 'write' })
  cancelPendingOrder(order_id: string, reason: 'no longer needed' | 'ordered by mistake'): string {
    return rowAnswer(() => cancelOrder(this.database, order_id, reason));
  }

  /**
   * Modify the shipping address of a pending order. The agent needs to explain the modification detail and
   * ask for explicit user confirmation (yes/no) to proceed.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param address1 The first line of the address, such as '123 Main St'.
   * @param address2 The second line of the address, such as 'Apt 1' or ''.
   * @param city The city, such as 'San Francisco'.
   * @param state The state, such as 'CA'.
   * @param country The country, such as 'USA'.
   * @param zip The zip code, such as '12345'.
   */
  @tool({ effect: 'write' })
  modifyPendingOrderAddress(
    order_id: string,
    address1: string,
    address2: string,
    city: string,
    state: string,
    country: string,
    zip: string,
  ): string {
    const address = { address1, address2, city, state, country, zip };
    return rowAnswer(() => modifyAddress(this.database, order_id, address));
  }

  /**
   * Modify items in a pending order to new items of the same product type. For a pending order, this function
   * can only be called once. The agent needs to explain the exchange detail and ask for explicit user
   * confirmation (yes/no) to proceed.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param item_ids The item ids to be modified, each such as '1008292230'. There could be duplicate items in
   * the list.
   * @param new_item_ids The item ids to be modified for, each such as '1008292230'. There could be duplicate
   * items in the list. Each new item id should match the item id in the same position and be of the same
   * product.
   * @param payment_method_id The payment method id to pay or receive refund for the item price difference,
   * such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order
   * details.
   */
  @tool({ effect: 'write' })
  modifyPendingOrderItems(
    order_id: string,
    item_ids: string[],
    new_item_ids: string[],
    payment_method_id: string,
  ): string {
    const swap = { itemIds: item_ids, newItemIds: new_item_ids };
    return rowAnswer(() => modifyItems(this.database, order_id, swap, payment_method_id));
  }

  /**
   * Modify the payment method of a pending order. The agent needs to explain the modification detail and ask
   * for explicit user confirmation (yes/no) to proceed.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param payment_method_id The payment method id to pay or receive refund for the item price difference,
   * such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order
   * details.
   */
  @tool({ effect: 'write' })
  modifyPendingOrderPayment(order_id: string, payment_method_id: string): string {
    return rowAnswer(() => modifyPayment(this.database, order_id, payment_method_id));
  }
}
