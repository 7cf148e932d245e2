import type { Content, GenerateContentConfig } from '../content/genai-types.js';
import type { EventActions } from '../events/event-actions.js';
import { CallbackContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { frozenJson } from '../json/json-value.js';
import type { ModelResponse } from '../models/model-response.js';
import type { ModelRequest } from '../models/model.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import { KEPT_SHAPES } from '../runtime/kept-shapes.js';
import type { Logger } from '../runtime/logger.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { ContentsView } from '../log/history/shared-contents.js';
import type { ToolsetListing } from './list-toolsets.js';
import type { TurnAgent } from './turn-agent.js';

/** A request while it is built and passed to callbacks and tools, with the tools that its answer may call. */
export class TurnRequest implements ModelRequest {
  tools: ToolTable;
  /** The contents of the history; unused once `own` is set. */
  private view: ContentsView | undefined;
  private own: readonly Content[] | undefined;
  private ownSignal: AbortSignal | undefined;
  private ownCallbackContext: CallbackContext | undefined;
  /** True if the request was sent to the model. */
  isSent = false;
  /** What a callback replaced: the answer of the model, or its failure. */
  replaced: ModelResponse | undefined;

  constructor(
    readonly context: InvocationContext,
    readonly agent: TurnAgent,
    public config: Readonly<GenerateContentConfig>,
    /** What the agent's toolsets list for this request; undefined for an agent without toolsets. */
    readonly listing?: ToolsetListing,
  ) {
    this.tools = listing?.tools ?? agent.tools;
  }

  /** The conversation. Copied from the history when first read: callbacks and tools may change it or keep it. */
  get contents(): readonly Content[] {
    return (this.own ??= this.view?.copy() ?? []);
  }

  set contents(contents: readonly Content[]) {
    this.own = contents;
  }

  /** Sets the contents without a copy. */
  show(view: ContentsView): void {
    this.view = view;
    this.own = undefined;
  }

  /** Appends a content without a copy of the others where possible. */
  append(content: Content): void {
    if (!this.own && this.view) this.view.append(content);
    else this.own = [...this.contents, frozenJson(content)];
  }

  /** The request for the model. Later changes by callbacks do not affect it. */
  send(): ModelRequest {
    this.isSent = true;
    return new SentRequest(this, this.own, this.view);
  }

  /** Ends the loan of the contents, once the model has answered. */
  release(): void {
    this.view?.release();
  }

  /** The context of the model's callbacks. */
  get callbackContext(): CallbackContext {
    return (this.ownCallbackContext ??= new CallbackContext(this.context, this.agent));
  }

  /** The actions written by the model's callbacks, for the event of the answer. Closes their context. */
  takeActions(): Partial<EventActions> | undefined {
    this.ownCallbackContext?.close();
    return this.ownCallbackContext?.takeActions();
  }

  get stream(): boolean {
    return this.context.config.streaming === 'sse';
  }

  get signal(): AbortSignal {
    return this.ownSignal ?? this.context.signal;
  }

  set signal(signal: AbortSignal) {
    this.ownSignal = signal;
  }

  get logger(): Logger {
    return this.context.services.logger;
  }
}

/** The request that the model gets. Its contents are the shared list while the model answers, and a copy when read later. */
class SentRequest implements ModelRequest {
  config: Readonly<GenerateContentConfig>;

  constructor(
    private readonly request: TurnRequest,
    private own: readonly Content[] | undefined,
    private readonly view: ContentsView | undefined,
  ) {
    this.config = request.config;
    KEPT_SHAPES.request = this;
  }

  get contents(): readonly Content[] {
    return this.own ?? this.view?.lend() ?? (this.own = this.view?.copy() ?? []);
  }

  set contents(contents: readonly Content[]) {
    this.own = contents;
  }

  get stream(): boolean {
    return this.request.stream;
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }

  set signal(signal: AbortSignal) {
    this.request.signal = signal;
  }

  get logger(): Logger {
    return this.request.logger;
  }
}

/** A step that is repeated for each request. */
export type RequestStep = (request: TurnRequest) => Awaitable<void>;

/** A fixed piece of the system instruction that is long, and created with the first request. */
export interface LateFragment {
  readonly create: () => string;
}

/** A piece of the system instruction: fixed, or created for each request. Empty pieces are left out. */
export type Fragment = string | LateFragment | FragmentProvider;

type FragmentProvider = (context: InvocationContext) => Awaitable<string>;

/** The common parts of an agent's requests, filled in by the processors. */
export interface RequestDraft {
  config: GenerateContentConfig;
  readonly fragments: Fragment[];
  readonly steps: RequestStep[];
}

/**
 * One concern of a request. Called once per agent: writes constant parts into the draft, and adds fragments and steps for
 * the parts that change.
 */
export type RequestProcessor = (agent: TurnAgent, draft: RequestDraft) => void;

/** The system instruction of an agent: in the config, or in fragments of which some are created for each request. */
interface PlannedConfig {
  readonly config: Readonly<GenerateContentConfig>;
  readonly fragments: readonly (string | FragmentProvider)[];
}

/** Builds an agent's requests. Constant parts are built once. */
export class RequestPlan {
  private readonly draft: RequestDraft;
  private planned: PlannedConfig | undefined;

  constructor(
    private readonly agent: TurnAgent,
    processors: readonly RequestProcessor[],
  ) {
    this.draft = { config: {}, fragments: [], steps: [] };
    for (const process of processors) process(agent, this.draft);
  }

  /**
   * Returns a promise only if a fragment or a step does.
   *
   * @throws {InstructionKeyMissingError}
   */
  build(context: InvocationContext, listing?: ToolsetListing): Awaitable<TurnRequest> {
    const { config, fragments } = (this.planned ??= plannedConfig(this.draft));
    const request = new TurnRequest(context, this.agent, config, listing);
    return fragments.length > 0 ? this.fillIn(request, fragments) : this.takeSteps(request, 0);
  }

  private async fillIn(request: TurnRequest, fragments: PlannedConfig['fragments']): Promise<TurnRequest> {
    const { context } = request;
    const texts = await Promise.all(
      fragments.map(async (one) => (typeof one === 'string' ? one : one(context))),
    );
    request.config = withSystem(request.config, texts);
    return this.takeSteps(request, 0);
  }

  private takeSteps(request: TurnRequest, from: number): Awaitable<TurnRequest> {
    for (const [index, step] of this.draft.steps.entries()) {
      if (index < from) continue;
      const done = step(request);
      if (isPromiseLike(done)) return done.then(() => this.takeSteps(request, index + 1));
    }
    return request;
  }
}

/** The config is frozen deeply: all requests of the agent share it, and callbacks get it. */
function plannedConfig({ config: drafted, fragments }: RequestDraft): PlannedConfig {
  const config = frozenJson(drafted);
  const created = fragments.map((one) => (typeof one === 'object' ? one.create() : one));
  const isFixed = created.every((one) => typeof one === 'string');
  if (!isFixed) return { config, fragments: created };
  return { config: Object.freeze(withSystem(config, created)), fragments: [] };
}

function withSystem(config: GenerateContentConfig, fragments: readonly unknown[]): GenerateContentConfig {
  const systemInstruction = fragments.filter((text) => text !== '').join('\n\n');
  return systemInstruction === '' ? config : { ...config, systemInstruction };
}
