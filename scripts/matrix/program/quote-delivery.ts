import { defineTool } from 'adorn';

export interface Delivery {
  /** Country code. @minLength 2 */
  country: string;
  /** When it has to be there. */
  by: Date;
  express?: boolean;
}

/** What a delivery costs, in cents. */
export const quoteDelivery = defineTool({
  name: 'quote_delivery',
  effect: 'read',
  run: ({ country, by, express = false }: Delivery): string =>
    `${country} ${by instanceof Date ? by.getUTCFullYear() : 'never'} ${String(express)}`,
});
