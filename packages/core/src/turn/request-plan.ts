import type { Content, GenerateContentConfig } from '../content/genai-types.js';
import type { EventActions } from '../events/event-actions.js';
import { CallbackContext } from '../invocation/callback-context.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import type { ModelRequest } from '../models/model.js';
import { type Awaitable, isPromiseLike } from '../runtime/awaitable.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { ContentsView } from '../log/history/shared-contents.js';
import type { TurnAgent } from './turn-agent.js';

/** A request while it is built and passes callbacks and tools, and the tools its answer may call. */
export class TurnRequest implements ModelRequest {
  tools: ToolTable;
  /** The contents of the history; unused once `own` is set. */
  private view: ContentsView | undefined;
  private own: readonly Content[] | undefined;
  private ownCallbackContext: CallbackContext | undefined;

  constructor(
    readonly context: InvocationContext,
    readonly agent: TurnAgent,
    public config: Readonly<GenerateContentConfig>,
  ) {
    this.tools = agent.tools;
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
    if (this.own === undefined && this.view !== undefined) this.view.append(content);
    else this.own = [...this.contents, content];
  }

  /** The request for the model. What callbacks do to this one afterwards does not change it. */
  send(): ModelRequest {
    return new SentRequest(this, this.own, this.view);
  }

  /** Ends the loan of the contents: the model has answered. */
  release(): void {
    this.view?.release();
  }

  /** What the model's callbacks see and write to. */
  get callbackContext(): CallbackContext {
    return (this.ownCallbackContext ??= new CallbackContext(this.context, this.agent));
  }

  /** What the model's callbacks wrote: the event of the answer carries it. */
  takeActions(): Partial<EventActions> | undefined {
    return this.ownCallbackContext?.takeActions();
  }

  get stream(): boolean {
    return this.context.config.streaming === 'sse';
  }

  get signal(): AbortSignal {
    return this.context.signal;
  }
}

/** A request as the model gets it. Its contents are lent while the model answers, and a copy when read later. */
class SentRequest implements ModelRequest {
  config: Readonly<GenerateContentConfig>;

  constructor(
    private readonly request: TurnRequest,
    private own: readonly Content[] | undefined,
    private readonly view: ContentsView | undefined,
  ) {
    this.config = request.config;
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
}

/** What has to be done again for each request. */
export type RequestStep = (request: TurnRequest) => Awaitable<void>;

/** A piece of the system instruction: fixed, or made for each request; an empty one is left out. */
export type Fragment = string | ((context: InvocationContext) => Awaitable<string>);

/** What an agent's requests have in common, as the processors write it down. */
export interface RequestDraft {
  config: GenerateContentConfig;
  readonly fragments: Fragment[];
  readonly steps: RequestStep[];
}

/**
 * One concern of a request. It is asked once per agent: what never changes it writes into the draft, and what
 * changes it leaves there as a fragment or a step.
 */
export type RequestProcessor = (agent: TurnAgent, draft: RequestDraft) => void;

/** Makes an agent's requests: what is the same each time is made once. */
export class RequestPlan {
  private readonly config: Readonly<GenerateContentConfig>;
  private readonly fragments: readonly Fragment[];
  private readonly steps: readonly RequestStep[];

  constructor(
    private readonly agent: TurnAgent,
    processors: readonly RequestProcessor[],
  ) {
    const draft: RequestDraft = { config: {}, fragments: [], steps: [] };
    for (const process of processors) process(agent, draft);
    const isFixed = draft.fragments.every((fragment) => typeof fragment === 'string');
    this.config = Object.freeze(isFixed ? withSystem(draft.config, draft.fragments) : draft.config);
    this.fragments = isFixed ? [] : draft.fragments;
    this.steps = draft.steps;
  }

  /**
   * Waits only where a fragment or a step does.
   *
   * @throws {InstructionKeyMissingError}
   */
  build(context: InvocationContext): Awaitable<TurnRequest> {
    const request = new TurnRequest(context, this.agent, this.config);
    return this.fragments.length > 0 ? this.fillIn(request) : this.takeSteps(request, 0);
  }

  private async fillIn(request: TurnRequest): Promise<TurnRequest> {
    const { context } = request;
    const texts = await Promise.all(
      this.fragments.map(async (one) => (typeof one === 'string' ? one : one(context))),
    );
    request.config = withSystem(this.config, texts);
    return this.takeSteps(request, 0);
  }

  private takeSteps(request: TurnRequest, from: number): Awaitable<TurnRequest> {
    for (const [index, step] of this.steps.entries()) {
      if (index < from) continue;
      const done = step(request);
      if (isPromiseLike(done)) return done.then(() => this.takeSteps(request, index + 1));
    }
    return request;
  }
}

function withSystem(config: GenerateContentConfig, fragments: readonly unknown[]): GenerateContentConfig {
  const systemInstruction = fragments.filter((text) => text !== '').join('\n\n');
  return systemInstruction === '' ? config : { ...config, systemInstruction };
}
