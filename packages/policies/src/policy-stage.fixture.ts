import { RunStage } from '../../core/src/tools/policies/run-stage.fixture.js';
import { RankedPolicies } from './policy-rank.js';

export { Deferred, settle, type StartedCall } from '../../core/src/tools/policies/run-stage.fixture.js';

/** The run gate of one runner with policies, and with a clock that stands. */
export class PolicyStage extends RunStage {
  constructor() {
    super(new RankedPolicies());
  }
}
