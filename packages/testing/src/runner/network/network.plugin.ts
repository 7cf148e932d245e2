import { Plugin } from '@adorn/core';
import type { Observation, Operation } from '@adorn/core/backend';

import { withinPolicy } from './network-block.js';
import type { NetworkPolicy } from './network-policy.js';

/** Has each run of a runner belong to a policy. */
export class NetworkPlugin extends Plugin {
  readonly name = 'test_network';

  constructor(private readonly policy: NetworkPolicy) {
    super();
  }

  override observe({ kind }: Operation): Observation | undefined {
    if (kind !== 'run') return undefined;
    return {
      within: (work) => {
        withinPolicy(this.policy, work);
      },
      end: () => undefined,
    };
  }
}
