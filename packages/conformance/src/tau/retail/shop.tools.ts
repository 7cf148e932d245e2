import { inject, tool } from 'adorn';

import { calculate } from './calculator.js';
import { writePythonJson } from './python-json.js';
import { answerOf } from './refusal.js';
import { RetailDatabase } from './retail-database.js';
import { rowAnswer } from './row-answer.js';
import { readText } from './row.js';

/** Tools of the retail benchmark that look things up, calculate and think: for every agent of the shop. Words, types and answers are the published ones. */
export class ShopTools {
  private readonly log: string[] = [];

  constructor(@inject(RetailDatabase) private readonly database: RetailDatabase) {}

  /**
   * Calculate the result of a mathematical expression.
   * @param expression The mathematical expression to calculate, such as '2 + 2'. The expression can contain
   * numbers, operators (+, -, *, /), parentheses, and spaces.
   */
  @tool({ effect: 'read' })
  calculate(expression: string): string {
    return answerOf(() => calculate(expression));
  }

  /**
   * Get the status and details of an order.
   * @param order_id The order id, such as '#W0000000'. Be careful there is a '#' symbol at the beginning of
   * the order id.
   */
  @tool({ effect: 'read' })
  getOrderDetails(order_id: string): string {
    return rowAnswer(() => this.database.getOrder(order_id));
  }

  /**
   * Get the inventory details of a product.
   * @param product_id The product id, such as '6086499569'. Be careful the product id is different from the
   * item id.
   */
  @tool({ effect: 'read' })
  getProductDetails(product_id: string): string {
    return rowAnswer(() => this.database.getProduct(product_id));
  }

  /**
   * List the name and product id of all product types. Each product type has a variety of different items
   * with unique item ids and options. There are only 50 product types in the store.
   */
  @tool({ effect: 'read' })
  listAllProductTypes(): string {
    const products = this.database.listProducts();
    const ids = new Map(
      products.map((product) => [readText(product, 'name'), readText(product, 'product_id')]),
    );
    return writePythonJson(ids, { sortKeys: true });
  }

  /**
   * Use the tool to think about something. It will not obtain new information or change the database, but
   * just append the thought to the log. Use it when complex reasoning or some cache memory is needed.
   * @param thought A thought to think about.
   */
  @tool({ effect: 'read' })
  think(thought: string): string {
    this.log.push(thought);
    return '';
  }

  /**
   * Transfer the user to a human agent, with a summary of the user's issue. Only transfer if the user
   * explicitly asks for a human agent, or if the user's issue cannot be resolved by the agent with the
   * available tools.
   * @param summary A summary of the user's issue.
   */
  @tool({ effect: 'write' })
  transferToHumanAgents(summary: string): string {
    this.log.push(summary);
    return 'Transfer successful';
  }
}
