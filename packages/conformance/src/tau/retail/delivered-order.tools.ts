import { inject, tool } from 'adorn';

import { exchangeItems } from './order-exchange.js';
import { returnItems } from './order-return.js';
import { RetailDatabase } from './retail-database.js';
import { rowAnswer } from './row-answer.js';

/** Tools of the retail benchmark that exchange and take back what was delivered. Words, types and answers are the published ones. */
export class DeliveredOrderTools {
  constructor(@inject(RetailDatabase) private readonly database: RetailDatabase) {}

  /**
   * Exchange items in a delivered order to new items of the same product type. For a delivered order, return
   * or exchange can be only done once by the agent. The agent needs to explain the exchange detail and ask
   * for explicit user confirmation (yes/no) to proceed.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param item_ids The item ids to be exchanged, each such as '1008292230'. There could be duplicate items
   * in the list.
   * @param new_item_ids The item ids to be exchanged for, each such as '1008292230'. There could be duplicate
   * items in the list. Each new item id should match the item id in the same position and be of the same
   * product.
   * @param payment_method_id The payment method id to pay or receive refund for the item price difference,
   * such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order
   * details.
   */
  @tool({ effect: 'write' })
  exchangeDeliveredOrderItems(
    order_id: string,
    item_ids: string[],
    new_item_ids: string[],
    payment_method_id: string,
  ): string {
    const swap = { itemIds: item_ids, newItemIds: new_item_ids };
    return rowAnswer(() => exchangeItems(this.database, order_id, swap, payment_method_id));
  }

  /**
   * Return some items of a delivered order. The order status will be changed to 'return requested'. The agent
   * needs to explain the return detail and ask for explicit user confirmation (yes/no) to proceed. The user
   * will receive follow-up email for how and where to return the item.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   * @param item_ids The item ids to be returned, each such as '1008292230'. There could be duplicate items in
   * the list.
   * @param payment_method_id The payment method id to pay or receive refund for the item price difference,
   * such as 'gift_card_0000000' or 'credit_card_0000000'. These can be looked up from the user or order
   * details.
   */
  @tool({ effect: 'write' })
  returnDeliveredOrderItems(order_id: string, item_ids: string[], payment_method_id: string): string {
    return rowAnswer(() => returnItems(this.database, order_id, item_ids, payment_method_id));
  }
}
