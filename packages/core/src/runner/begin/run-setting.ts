import type { SessionCompactor } from '../../compaction/compaction.js';
import type { AgentNode } from '../../run/agent-node.js';
import type { InvocationServices } from '../../run/invocation-services.js';
import type { CompleteRunConfig } from '../../run/run-config.js';
import type { OpenLives } from '../live/open-lives.js';
import type { Mailroom } from '../mailbox/mailroom.js';
import type { RunHolds } from './run-holds.js';
import type { RunHooks } from '../run-hooks.js';
import type { DefaultUserWarning } from './run-input.js';
import type { RunQueue } from './run-queue.js';
import type { SessionFence } from './session-fence.js';

/** The shared settings of a runner's runs. */
export interface RunSetting {
  readonly appName: string;
  readonly root: AgentNode;
  readonly services: InvocationServices;
  readonly config: CompleteRunConfig;
  readonly runs: RunQueue;
  readonly fence: SessionFence;
  /** Renews the holds of the active runs. */
  readonly holds: RunHolds;
  readonly compactor: SessionCompactor | undefined;
  /** What is sent to the conversations. */
  readonly mail: Mailroom;
  /** The live sessions that are open. */
  readonly lives: OpenLives;
  readonly hooks: RunHooks;
  readonly defaultUser: DefaultUserWarning;
  readonly isClosing: () => boolean;
}
