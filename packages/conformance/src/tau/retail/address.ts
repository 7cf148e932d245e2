import type { Row } from './row.js';

/** An address as the tools are told it. */
export interface Address {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly zip: string;
}

/** Gives a user or an order another address, and returns it. */
export function setAddress(owner: Row, address: Address): Row {
  const { address1, address2, city, state, country, zip } = address;
  return owner.set('address', new Map(Object.entries({ address1, address2, city, state, country, zip })));
}
