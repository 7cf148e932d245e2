/** How far an order is. */
export enum OrderStatus {
  Open = 'open',
  Shipped = 'shipped',
  Returned = 'returned',
}
