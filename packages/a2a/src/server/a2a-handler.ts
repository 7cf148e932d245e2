import { sessionCompaction } from '@adorn/compaction';
import { type AgentClass, ConsoleLogger, createRunner, type Logger, type Runner } from '@adorn/core';
import {
  isAgentClass,
  kindOf,
  type RecoverOptions,
  RecoverySweep,
  type SweepOptions,
} from '@adorn/core/backend';
import { withinTrace } from '@adorn/http';
import { toolPolicies } from '@adorn/policies';
import type { AgentCard } from '@a2a-js/sdk';

import { A2aConfigInvalidError } from '../errors.js';
import { agentCardOf } from './agent-card.js';
import { Endpoint, type ServedAgent } from './endpoint.js';
import { tellingFinal } from './legacy-updates.js';
import {
  type A2aHandlerOptions,
  type CardOptions,
  checkServeOptions,
  type SigningKey,
} from './serve-options.js';
import { TaskHandler } from './task-handler.js';
import { Webhooks } from './webhooks.js';

/** An agent to serve: its class, or a runner, which stays its owner's. */
export type A2aSource = AgentClass<unknown> | Runner<unknown>;

/**
 * An endpoint for peers as a fetch handler, which any framework mounts.
 *
 * @property close cancels the tasks that run here, and closes the runners that were created here
 */
export interface A2aHandler {
  (request: Request): Promise<Response>;
  readonly runners: readonly Runner<unknown>[];
  close(): Promise<void>;
}

/**
 * Makes a fetch handler that serves agents over A2A, in its revisions 0.3 and 1.0. One agent is at `url` itself, several are
 * at `url` with their names behind it; each has its card at `.well-known/agent-card.json` below.
 *
 * @throws {A2aConfigInvalidError} if an option does not exist or cannot be used, or others could call the agent unasked
 * @throws {AdornError} as `createRunner`
 */
export async function a2aHandler(
  sources: A2aSource | readonly A2aSource[],
  options: A2aHandlerOptions,
): Promise<A2aHandler> {
  checkServeOptions('a2aHandler', options);
  return openHandler('a2aHandler', sources, options);
}

/** Makes a handler from checked options. */
export async function openHandler(
  caller: string,
  sources: A2aSource | readonly A2aSource[],
  options: A2aHandlerOptions,
): Promise<A2aHandler> {
  const { logger = new ConsoleLogger(), recover = {} } = options;
  const protocol = await loadProtocol();
  const owned: Runner<unknown>[] = [];
  const closeOwned = () => Promise.all(owned.map((runner) => runner.close()));
  try {
    const runners = await openRunners(caller, [sources].flat(), options, owned);
    const agents = new Map<string, ServedAgent>();
    for (const runner of runners) {
      const path = runners.length === 1 ? '' : `/${encodeURIComponent(runner.appName)}`;
      if (agents.has(path))
        throw new A2aConfigInvalidError(
          caller,
          `two agents are named "${runner.appName}"`,
          'Give one an appName.',
        );
      agents.set(path, await servedAgent(protocol, runner, { path, logger, options }));
    }
    const sweeps =
      recover === false
        ? []
        : runners.map((runner) => new RecoverySweep(runner, sweepOf(recover), logger, { atStart: recover }));
    const endpoint = new Endpoint(
      agents,
      options,
      logger,
      (fields) => new protocol.server.ServerCallContext(fields),
    );
    const close = async (): Promise<void> => {
      await Promise.all([...agents.values()].map(({ tasks }) => tasks.close()));
      await Promise.all(sweeps.map((sweep) => sweep.close()));
      await closeOwned();
    };
    const answer = (request: Request) => withinTrace(request.headers, () => endpoint.answer(request));
    return Object.assign(answer, { runners, close });
  } catch (error) {
    await closeOwned();
    throw error;
  }
}

/** The runners to serve. Those that are created for it are in `owned`, even if a later one fails. */
async function openRunners(
  caller: string,
  sources: readonly unknown[],
  options: A2aHandlerOptions,
  owned: Runner<unknown>[],
): Promise<readonly Runner<unknown>[]> {
  if (sources.length === 0) throw new A2aConfigInvalidError(caller, 'there is no agent', 'Pass one.');
  const runners: Runner<unknown>[] = [];
  for (const source of sources) {
    if (isRunner(source)) {
      runners.push(source);
      continue;
    }
    const { modules = [] } = options.runner ?? {};
    const wiring = { ...options.runner, modules: [...modules, toolPolicies, sessionCompaction] };
    const runner = await createRunner(requireAgent(caller, source), wiring);
    owned.push(runner);
    runners.push(runner);
  }
  return runners;
}

interface Place {
  /** Below the URL of all. */
  readonly path: string;
  readonly logger: Logger;
  readonly options: A2aHandlerOptions;
}

async function servedAgent(
  { sdk, server, legacy }: Protocol,
  runner: Runner<unknown>,
  { path, logger, options }: Place,
): Promise<ServedAgent> {
  const { authenticate, approve, limits = {}, signing, extendedCard } = options;
  const url = options.url.replace(/\/$/, '') + path;
  const fixed = { url, isOpen: authenticate === undefined, isExtended: extendedCard !== undefined };
  const sign = signing === undefined ? undefined : signerOf(sdk, signing);
  const cardOf = async (card: CardOptions | undefined): Promise<AgentCard> => {
    const made = await agentCardOf(runner, { ...fixed, card });
    return sign === undefined ? made : sign(made);
  };
  const card = await cardOf(options.card);
  const extended = extendedCard && (await cardOf({ ...options.card, ...extendedCard }));
  const webhooks = new Webhooks({
    ...{ issuer: url, signing, logger, limit: limits.webhooks ?? 10 },
    privateHosts: options.webhookHosts ?? [],
    serializers: {
      '1.0': new server.V1PushNotificationSerializer(),
      '0.3': new legacy.V03PushNotificationSerializer(),
    },
  });
  const tasks = new TaskHandler({
    ...{ runner, card, extended, webhooks, logger, approve },
    limits: { tasks: limits.tasks ?? 16 },
  });
  return {
    card,
    tasks,
    rpc: new server.JsonRpcTransportHandler(tasks),
    legacyRpc: tellingFinal(new legacy.LegacyJsonRpcTransportHandler(tasks)),
    legacyRest: {
      handler: new legacy.LegacyRestTransportHandler(tasks),
      faultOf: legacy.toLegacyHTTPError,
    },
  };
}

function signerOf(sdk: Protocol['sdk'], { privateKey, algorithm, keyId }: SigningKey) {
  const header = { alg: algorithm, kid: keyId, typ: 'JOSE' };
  return sdk.generateAgentCardSignature(privateKey, header);
}

type Protocol = Awaited<ReturnType<typeof loadProtocol>>;

async function loadProtocol() {
  const [sdk, server, legacy] = await Promise.all([
    import('@a2a-js/sdk'),
    import('@a2a-js/sdk/server'),
    import('@a2a-js/sdk/compat/v0_3/server'),
  ]);
  return { sdk, server, legacy };
}

function sweepOf({ newerThan, concurrency, maxAttempts }: RecoverOptions): SweepOptions {
  return { newerThan, concurrency, maxAttempts };
}

function isRunner(source: unknown): source is Runner<unknown> {
  return typeof source === 'object' && source !== null && 'appName' in source && 'pending' in source;
}

function requireAgent(caller: string, source: unknown): AgentClass<unknown> {
  if (isAgentClass(source)) return source;
  throw new A2aConfigInvalidError(
    caller,
    `an agent is ${kindOf(source)}`,
    'Pass an agent class or a runner.',
  );
}
