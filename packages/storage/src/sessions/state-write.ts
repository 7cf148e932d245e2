import type { ScopedDelta } from './scoped-delta.js';
import type { SharedAddresses } from './shared-state.js';
import { type StateRows, stateRows } from './state-rows.js';

/** The effect of a delta on the tables of session, user and application state. */
export interface StateWrite {
  readonly own: StateRows;
  readonly user: SharedWrite;
  readonly app: SharedWrite;
}

export interface SharedWrite extends StateRows {
  readonly address: string;
}

export function stateWriteOf(addresses: SharedAddresses, delta: ScopedDelta): StateWrite {
  return {
    own: stateRows(delta.session),
    user: { address: addresses.user, ...stateRows(delta.user) },
    app: { address: addresses.app, ...stateRows(delta.app) },
  };
}

export function isEmpty({ set, gone }: StateRows): boolean {
  return set.length === 0 && gone.length === 0;
}
