import { toolPolicies } from '@adorn/policies';
import { callsTool, eventsOf, says, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import { MortalSessionService } from '../agents/workflow/workflow.fixture.js';
import type { FunctionDeclaration } from '../events/genai-types.js';
import { logOf } from '../events/session.js';
import type { AgentCallbacks, Confirmation } from '../backend.js';
import {
  agentTool,
  type AuthConfig,
  ConfirmationProvider,
  ContainerModule,
  createRunner,
  CredentialService,
  defineAgent,
  type Event,
  InMemoryCredentialService,
  Logger,
  type PendingRequest,
  Plugin,
  RequireConfirmation,
  type Runner,
  SessionService,
  Tool,
  type ToolContext,
  type ToolGuardrail,
} from '../index.js';
import type { ToolTraits } from '../tools/tool-traits.js';

export const ADDRESS = { userId: 'ada', sessionId: 's1' };
const CREDENTIAL: AuthConfig = { scheme: { type: 'apiKey', in: 'header', name: 'X-Key' }, key: 'desk' };

/** The names of the members that get a `ToolContext`, and so may ask a person. */
type TakersOf<Owner> = {
  [Name in keyof Owner]-?: NonNullable<Owner[Name]> extends (...args: infer Args) => unknown
    ? TakesContext<Required<Args>> extends true
      ? Name
      : never
    : never;
}[keyof Owner];

/** True if one of the parameters is a `ToolContext`. A parameter of the type `unknown` is not. */
type TakesContext<Args extends readonly unknown[]> = Args extends readonly [infer First, ...infer Rest]
  ? unknown extends First
    ? TakesContext<Rest>
    : [Extract<First, ToolContext>] extends [never]
      ? TakesContext<Rest>
      : true
  : false;

/** Every function that a `ToolContext` is given to. One that is missing in {@link PLACES} does not compile. */
export type Place =
  | `plugin.${TakersOf<AgentCallbacks>}`
  | `agent.${TakersOf<AgentCallbacks>}`
  | `guardrail.${TakersOf<ToolGuardrail>}`
  | `tool.${Exclude<TakersOf<Tool>, 'runAgent'>}`
  | 'provider.decide';

/** When a function runs: before the tool, as the tool, when the tool has ended, or where nobody can be asked. */
export type When = 'before' | 'tool' | 'after' | 'never' | 'instead of the tool';

export const PLACES: Readonly<Record<Place, When>> = {
  'tool.validate': 'before',
  'plugin.checkTool': 'before',
  'agent.checkTool': 'before',
  'guardrail.checkCall': 'before',
  'tool.confirmation': 'before',
  'provider.decide': 'before',
  'plugin.beforeTool': 'before',
  'agent.beforeTool': 'before',
  'tool.run': 'tool',
  'plugin.onToolError': 'after',
  'agent.onToolError': 'after',
  'plugin.afterTool': 'after',
  'agent.afterTool': 'after',
  'guardrail.checkResult': 'after',
  'tool.reconcile': 'instead of the tool',
  'tool.isIdempotent': 'never',
  'tool.approversOf': 'never',
  'tool.onceKeyOf': 'never',
  'tool.rememberKeyOf': 'never',
  'tool.settled': 'never',
};

/** How a function asks, or fails. Each returns what it was answered. */
export const MANNERS = {
  confirmation: (context) => context.requestConfirmation('Go on?').confirmed,
  input: (context) => context.requestInput({ message: 'Why?', schema: { type: 'string' } }),
  credential: (context) => context.requestCredential(CREDENTIAL).then(({ type }) => type),
  twice: async (context) => [
    context.requestConfirmation('Go on?').confirmed,
    await context.requestInput({ message: 'Why?', schema: { type: 'string' } }),
  ],
  swallowed: (context) => {
    try {
      return context.requestConfirmation('Go on?').confirmed;
    } catch {
      return undefined;
    }
  },
  'input, not waited for': (context) => {
    void context.requestInput({ message: 'Why?', schema: { type: 'string' } });
    return undefined;
  },
  'throws RequireConfirmation': () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a program may
    throw new RequireConfirmation('Really?');
  },
  'throws an error': () => {
    throw new Error('The disk is full.');
  },
  'throws undefined': () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a program may
    throw undefined;
  },
  'throws an object without a prototype': () => {
    throw Object.create(null);
  },
} as const satisfies Record<string, (context: ToolContext) => unknown>;

export type Manner = keyof typeof MANNERS;

/** True if a person is asked. */
export function asks(manner: Manner): boolean {
  return !manner.startsWith('throws');
}

export interface KindOfTool {
  readonly traits?: Partial<ToolTraits>;
  /** True if a person has to confirm the call. */
  readonly isGated?: boolean;
  readonly isGenerator?: boolean;
  /** True if the first attempt fails before its effect. */
  readonly failsFirst?: boolean;
  readonly isAgent?: boolean;
  readonly isCalled?: boolean;
}

export const KINDS = {
  plain: {},
  gated: { isGated: true },
  idempotent: { traits: { idempotent: true } },
  retried: { traits: { idempotent: true, retry: { attempts: 2, delayMs: 0 } }, failsFirst: true },
  reading: { traits: { effect: 'read' } },
  'long-running': { traits: { longRunning: true } },
  generator: { isGenerator: true },
  background: { traits: { background: true } },
  'agent as a tool': { isAgent: true },
  'runner.call': { isCalled: true },
  'gated runner.call': { isGated: true, isCalled: true },
} as const satisfies Record<string, KindOfTool>;

export type Kind = keyof typeof KINDS;

/** What happened in a conversation, over all its processes. */
export class Scene {
  /** How often the tool took effect. */
  paid = 0;
  attempts = 0;
  private readonly keys = new Set<string>();
  /** What the asking function was answered, each time it ran to its end. */
  readonly answers: unknown[] = [];
  readonly sessions = new MortalSessionService();
  readonly credentials = new InMemoryCredentialService();
  readonly logger = new Lines();

  constructor(
    readonly place: Place,
    readonly manner: Manner,
    readonly kind: KindOfTool,
    /** False in a process in which the function does not ask, such as one that is to be interrupted. */
    public isAsking = true,
  ) {}

  /** What the function does that asks, in its place. */
  readonly ask = async (context: ToolContext): Promise<void> => {
    if (!this.isAsking) return;
    this.answers.push(await MANNERS[this.manner](context));
  };

  /** @throws the error of a tool whose `onToolError` is asked, after its effect */
  act({ idempotencyKey }: ToolContext): unknown {
    this.attempts++;
    if (this.kind.failsFirst === true && this.attempts === 1) throw new Error('The line is busy.');
    const isRepeated = this.keys.has(idempotencyKey);
    this.keys.add(idempotencyKey);
    if (this.kind.traits?.idempotent !== true || !isRepeated) this.paid++;
    if (this.place.endsWith('onToolError')) throw new Error('The bank did not answer in time.');
    return { paid: this.paid };
  }

  async events(runner: Runner<unknown>): Promise<readonly Event[]> {
    const session = await this.sessions.getSession({ appName: runner.appName, ...ADDRESS });
    return session === undefined ? [] : logOf(session);
  }
}

/** The tool whose calls are asked about. */
class Pay extends Tool {
  readonly name: string = 'pay';
  readonly description = 'Pays.';

  constructor(private readonly scene: Scene) {
    super({ ...scene.kind.traits });
  }

  declaration(): FunctionDeclaration {
    return { name: this.name, description: this.description, parametersJsonSchema: { type: 'object' } };
  }

  private async asked(name: string, context: ToolContext): Promise<void> {
    if (this.scene.place === `tool.${name}`) await this.scene.ask(context);
  }

  override validate(_args: unknown, context: ToolContext): Promise<void> {
    return this.asked('validate', context);
  }

  override async confirmation(_args: unknown, context: ToolContext): Promise<Confirmation | undefined> {
    await this.asked('confirmation', context);
    const isGated = this.scene.kind.isGated === true || this.scene.place === 'provider.decide';
    return isGated ? { hint: 'Pay?' } : undefined;
  }

  run(_args: unknown, context: ToolContext): unknown {
    const act = async (): Promise<unknown> => {
      await this.asked('run', context);
      return this.scene.act(context);
    };
    return this.scene.kind.isGenerator === true ? steps(act) : act();
  }
}

async function* steps(act: () => Promise<unknown>) {
  yield 'under way';
  return await act();
}

class Reconciling extends Pay {
  override reconcile(_args: unknown, context: ToolContext): unknown {
    return this['asked']('reconcile', context);
  }
}

/** Opens a runner, in a process of its own, on what the scene has stored. */
export async function openRunner(
  scene: Scene,
  modules: readonly ContainerModule[] = [],
): Promise<Runner<unknown>> {
  const [owner, name] = scene.place.split('.') as [string, string];
  const hook = { [name]: async (...args: unknown[]) => scene.ask(args.at(-1) as ToolContext) };
  const mayHook = (args: unknown[]): boolean => (args[0] as Tool).name === 'pay';
  const own = {
    [name]: async (...args: unknown[]) => (mayHook(args) ? scene.ask(args.at(-1) as ToolContext) : undefined),
  };
  class Asks extends Plugin {
    readonly name = 'asks';
  }
  if (owner === 'plugin') Object.assign(Asks.prototype, own);
  const guards: ToolGuardrail[] = owner === 'guardrail' ? [{ name: 'guard', ...hook }] : [];
  const Clerk = defineAgent({ name: 'clerk', tools: [toolOf(scene)], toolGuardrails: guards });
  if (owner === 'agent') Object.assign(Clerk.prototype as object, own);
  const bindings = new ContainerModule(({ bind }) => {
    bind(SessionService).toConstantValue(scene.sessions);
    bind(CredentialService).toConstantValue(scene.credentials);
    bind(Logger).toConstantValue(scene.logger);
    if (owner === 'provider') bind(ConfirmationProvider).toConstantValue(providerOf(scene));
  });
  const model = callingModel();
  const options = {
    model,
    modules: [toolPolicies, bindings, ...modules],
    plugins: [new Asks()],
    config: { takeOverAfter: 0 },
  };
  return createRunner(Clerk, options);
}

function toolOf(scene: Scene) {
  if (scene.kind.isAgent === true) {
    const inner = new (class extends Pay {
      override readonly name = 'inner';
    })(scene);
    return agentTool(defineAgent({ name: 'desk', description: 'Pays.', tools: [inner] }), { name: 'pay' });
  }
  return scene.place === 'tool.reconcile' ? new Reconciling(scene) : new Pay(scene);
}

function providerOf(scene: Scene): ConfirmationProvider {
  return {
    decide: async (_request: unknown, context: unknown) => {
      await scene.ask(context as ToolContext);
      return { confirmed: true };
    },
  };
}

/** A model that calls the tool which it is offered once, and then ends, in whatever process it is. */
function callingModel(): ScriptedModel {
  const step: ScriptedStep = ({ contents, config }) => {
    const tool = JSON.stringify(config.tools).includes('"inner"') ? 'inner' : 'pay';
    const isCalled = JSON.stringify(contents).includes('functionCall');
    return isCalled ? says('The end.') : callsTool(tool, { request: 'Pay.' }, `${tool}-1`);
  };
  return new ScriptedModel(...Array.from({ length: 24 }, () => step));
}

/** Begins the conversation. */
export async function begin(scene: Scene, runner: Runner<unknown>): Promise<void> {
  await eventsOf(
    scene.kind.isCalled === true
      ? runner.call({ tool: 'pay', callId: 'pay-1', ...ADDRESS })
      : runner.run({ ...ADDRESS, message: 'Pay.' }),
  );
}

export type Say = 'yes' | 'no';

/** Answers one request. @returns the events of the run */
export async function answer(runner: Runner<unknown>, request: PendingRequest, say: Say): Promise<Event[]> {
  switch (request.kind) {
    case 'result':
      return eventsOf(runner.supply(request, { done: true }));
    case 'credential':
      return eventsOf(runner.supply(request, { type: 'apiKey', apiKey: 'a-secret-key' }));
    case 'input':
      return eventsOf(say === 'no' ? runner.reject(request) : runner.supply(request, 'because'));
    case 'confirmation':
      return eventsOf(say === 'no' ? runner.reject(request) : runner.approve(request));
  }
}

/** The lines of a log. */
export class Lines extends Logger {
  readonly lines: [message: string, facts: unknown][] = [];
  debug = (): void => undefined;
  info = (message: string, facts?: unknown): void => void this.lines.push([message, facts]);
  warn = (message: string, facts?: unknown): void => void this.lines.push([message, facts]);
  error = (message: string, facts?: unknown): void => void this.lines.push([message, facts]);
}
