import {
  ANY,
  checkOptions,
  EffectLedger,
  FUNCTION,
  InMemoryEffectLedger,
  isObject,
  LIST,
  type OptionRules,
  rule,
  type RunInput,
} from '@adorn/core/backend';
import { OfflineModel } from '@adorn/offline';
import {
  type AgentClass,
  ArtifactService,
  Clock,
  createRunner,
  type CreateRunnerOptions,
  CredentialService,
  InMemoryArtifactService,
  InMemoryCredentialService,
  InMemoryMemoryService,
  InMemorySessionService,
  Logger,
  MemoryService,
  type Model,
  type Runner,
  SessionService,
} from 'adorn';

import { ManualClock } from '../manual.clock.js';
import { RunningClock } from '../running.clock.js';
import type { ScriptedStep } from '../scripted/scripted-step.js';
import type { ScriptsByAgent } from '../scripted/script.js';
import { ScriptedModel } from '../scripted/scripted.model.js';
import { blockNetwork, withinPolicy } from './network/network-block.js';
import { NetworkPlugin } from './network/network.plugin.js';
import { NetworkPolicy, type TestFetch } from './network/network-policy.js';
import { override, type Override, overridesModule } from './override.js';
import { SteppedRun } from './stepped-run.js';

/** The options of `testRunner`. Those of `createRunner` mean what they mean there. */
export interface TestRunnerOptions extends Omit<CreateRunnerOptions, 'model'> {
  /** What the model of every agent answers: a script, a script for each agent by its name, or another model. Default: an `OfflineModel`. */
  readonly model?: Model | readonly ScriptedStep[] | ScriptsByAgent;
  /** Services in the place of those that modules bind, such as `[override(Shop, { refund })]`. Default: none. */
  readonly overrides?: readonly Override[];
  /** Default: a `RunningClock`. A `ManualClock` stands until the test moves it. */
  readonly clock?: ManualClock;
  /**
   * What runs may connect to: hosts such as `['127.0.0.1', 'api.example.com:443']`, or true for everything. One of this
   * machine allows all names of this machine. Default: nothing.
   */
  readonly network?: boolean | readonly string[];
  /** What the global `fetch` is for runs, such as `recordedFetch(fetch, file)` or a fake. Default: as `network` says. */
  readonly fetch?: TestFetch;
}

/** A runner for a test. Close it, or declare it by `await using`. */
export interface TestRunner<Output = string> extends Runner<Output> {
  /** The clock of the runner, which the test moves. */
  readonly clock: ManualClock;
  /** Begins a run that goes on only as far as the test wants it. */
  step(input: RunInput): SteppedRun<Output>;
}

const RULES: OptionRules<TestRunnerOptions> = {
  modules: LIST,
  plugins: LIST,
  // Checked by `createRunner`.
  ...{ appName: ANY, container: ANY, config: ANY, compaction: ANY, context: ANY, retention: ANY },
  model: rule(
    (value) => Array.isArray(value) || isScripts(value) || (isObject(value) && 'generate' in value),
    "Pass a script such as [callsTool('refund', { order: 'A-17' }), says('Done.')], one for each agent such as { judge: [says('Yes.')] }, or a Model.",
  ),
  overrides: rule(
    (value) =>
      Array.isArray(value) && value.every((one) => isObject(one) && 'token' in one && 'value' in one),
    'Pass a list such as [override(Shop, { refund })].',
  ),
  clock: rule((value) => value instanceof ManualClock, 'Pass a ManualClock.'),
  fetch: FUNCTION,
  network: rule(
    (value) =>
      typeof value === 'boolean' || (Array.isArray(value) && value.every((host) => typeof host === 'string')),
    "Pass a list of hosts such as ['127.0.0.1'], or true for everything.",
  ),
};

/**
 * A runner that is ready for a test: its model is a script or works offline, its stores are in memory, whatever modules the
 * application has, its clock can be moved, and its runs reach no network.
 *
 * ```ts
 * await using runner = await testRunner(Desk, {
 *   model: [callsTool('refund_order', { orderId: 'A-17', euros: 20 }), says('Done.')],
 *   overrides: [override(Shop, { refund })],
 * });
 * expect(await runner.run({ message: 'Refund A-17' })).toHaveCalledTool('refund_order');
 * ```
 *
 * What a run connects to and is not in `network` fails with `NETWORK_BLOCKED`, and is logged. That holds for sockets and name
 * look-ups of Node.js, in what a run does and in what is made for the runner; the test itself connects as it likes, and so do other
 * tests that run at the same time.
 *
 * @throws {OptionInvalidError}
 * @throws {AdornError} as `createRunner`
 */
export async function testRunner<Output>(
  root: AgentClass<Output>,
  options: TestRunnerOptions = {},
): Promise<TestRunner<Output>> {
  checkOptions('testRunner', options, RULES);
  const { model, overrides = [], clock = new RunningClock(), network = false, fetch, ...others } = options;
  let logger: Pick<Logger, 'warn'> | undefined;
  const policy = new NetworkPolicy(network, ({ message, code }) => logger?.warn(message, { code }), fetch);
  const unblock = blockNetwork();
  try {
    const runner = await withinPolicy(policy, () =>
      createRunner(root, {
        ...others,
        model: modelOf(model),
        modules: [
          ...(others.modules ?? []),
          overridesModule([...inMemory(), override(Clock, clock)]),
          overridesModule(overrides),
        ],
        plugins: [...(others.plugins ?? []), new NetworkPlugin(policy)],
      }),
    );
    logger = runner.get(Logger);
    return completed(runner, clock, unblock);
  } catch (error) {
    unblock();
    throw error;
  }
}

function modelOf(model: TestRunnerOptions['model']): Model {
  if (!model) return new OfflineModel();
  if (isScript(model)) return new ScriptedModel(...model);
  return isScripts(model) ? ScriptedModel.byAgent(model) : model;
}

function isScript(model: object): model is readonly ScriptedStep[] {
  return Array.isArray(model);
}

/** A model has values that are no lists. */
function isScripts(model: unknown): model is ScriptsByAgent {
  if (!isObject(model)) return false;
  const scripts = Object.values(model);
  return scripts.length > 0 && scripts.every((script) => Array.isArray(script));
}

/** Empty stores. */
function inMemory(): Override[] {
  return [
    override(SessionService, new InMemorySessionService()),
    override(ArtifactService, new InMemoryArtifactService()),
    override(MemoryService, new InMemoryMemoryService()),
    override(CredentialService, new InMemoryCredentialService()),
    override(EffectLedger, new InMemoryEffectLedger()),
  ];
}

/** The runner, with what it has for tests. Closing it ends its steps, and its hold on the network. */
function completed<Output>(
  runner: Runner<Output>,
  clock: ManualClock,
  unblock: () => void,
): TestRunner<Output> {
  const steps: SteppedRun<Output>[] = [];
  const closeRunner = runner.close.bind(runner);
  const step = (input: RunInput): SteppedRun<Output> => {
    const stepped = new SteppedRun(runner, input);
    steps.push(stepped);
    return stepped;
  };
  const close = async (): Promise<void> => {
    for (const stepped of steps) await stepped[Symbol.asyncDispose]();
    await closeRunner();
    unblock();
  };
  return Object.assign(runner, { clock, step, close });
}
