import type { Content, GenerateContentConfig } from '../events/genai-types.js';
import type { EventActions } from '../events/event-actions.js';
import { CallbackContext } from '../run/callback-context.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { frozenJson } from '@adorn/schema';
import { sizeOfConfig, sizeOfContent } from '../log/content-size.js';
import type { ModelResponse } from '../models/model-response.js';
import type { ModelRequest, StablePart } from '../models/model.js';
import type { Logger } from '../runtime/logger.js';
import type { ToolTable } from '../tools/tool-table.js';
import type { ToolsetListing } from './list-toolsets.js';
import type { TurnAgent } from './turn-agent.js';

/** A request while it is built and passed to callbacks and tools, with the tools that its answer may call. */
export class TurnModelRequest implements ModelRequest {
  /** The tools that the answer may call. */
  tools: ToolTable;
  /** The conversation: a list of its own, which callbacks and tools may change or keep. */
  contents: readonly Content[] = [];
  /** The contents of the history; what `contents` has beside them was added by instructions and tools. */
  conversation: readonly Content[] = [];
  /** The contents of the log alone. */
  stored: readonly Content[] = NOTHING;
  /** True if the conversation shows results cut or in a summary, which the agent has a tool to read. */
  lacksResults = false;
  /** What the system instruction of each request of the agent begins with; undefined for the whole instruction. */
  fixedInstruction: string | undefined;
  /** What fills the changing rest of the system instruction: placeholders as they are written, or functions. */
  changing: readonly string[] = NOTHING;
  /** Measures `conversation`, in bytes. */
  sizeOfConversation: () => number = () => 0;
  private ownSignal: AbortSignal | undefined;
  private ownCallbackContext: CallbackContext | undefined;
  /** True if the request was sent to the model. */
  isSent = false;
  /** The answer of the model, once the callbacks behind it are asked. */
  received: ModelResponse | undefined;
  /** What a callback replaced: the answer of the model, or its failure. */
  replaced: ModelResponse | undefined;

  constructor(
    /** The run of the agent. */
    readonly context: InvocationContext,
    /** The agent that asks. */
    readonly agent: TurnAgent,
    public config: Readonly<GenerateContentConfig>,
    /** What the agent's toolsets list for this request; undefined for an agent without toolsets. */
    readonly listing?: ToolsetListing,
  ) {
    this.tools = listing?.tools ?? agent.tools;
  }

  /** Adds a content behind the conversation. */
  append(content: Content): void {
    this.contents = [...this.contents, frozenJson(content)];
  }

  /** The size of the request in bytes. Costs the same however long the conversation is. */
  get size(): number {
    const { contents, conversation, config } = this;
    const added = contents === conversation ? NOTHING : contents.slice(conversation.length);
    return added.reduce(
      (sum, one) => sum + sizeOfContent(one),
      this.sizeOfConversation() + sizeOfConfig(config),
    );
  }

  /** The contents that instructions and tools have added to the conversation. */
  get added(): readonly Content[] {
    if (this.contents === this.conversation) return NOTHING;
    const known = new Set(this.conversation);
    return this.contents.filter((content) => !known.has(content));
  }

  /** The request for the model. Later changes by callbacks do not affect it. */
  send(): ModelRequest {
    this.isSent = true;
    return new SentModelRequest(this);
  }

  /** The context of the model's callbacks. */
  get callbackContext(): CallbackContext {
    return (this.ownCallbackContext ??= new CallbackContext(this.context, this.agent));
  }

  /** The actions written by the model's callbacks, for the event of the answer. Closes their context. */
  drainActions(): Partial<EventActions> | undefined {
    this.ownCallbackContext?.close();
    return this.ownCallbackContext?.drainActions();
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

  get agentName(): string {
    return this.agent.name;
  }

  get logger(): Logger {
    return this.context.services.logger;
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

/** What later requests of the conversation begin with, as callbacks and tools left it. */
function stablePart({ contents, stored, config, fixedInstruction }: TurnModelRequest): StablePart {
  const { systemInstruction: text } = config;
  const whole = typeof text === 'string' ? text : '';
  const isFixed = fixedInstruction === undefined || !whole.startsWith(fixedInstruction);
  const instruction = isFixed ? whole.length : fixedInstruction.length;
  const changed =
    contents === stored ? -1 : contents.findIndex((content, index) => content !== stored[index]);
  const earlier = changed === -1 ? contents.length : changed;
  const last = stored.at(-1);
  return { instruction, earlier, contents: Math.max(earlier, last ? contents.lastIndexOf(last) + 1 : 0) };
}

/** The request that the model gets. */
class SentModelRequest implements ModelRequest {
  contents: readonly Content[];
  config: Readonly<GenerateContentConfig>;
  readonly stable: StablePart;

  constructor(private readonly request: TurnModelRequest) {
    this.contents = request.contents.slice();
    this.config = request.config;
    this.stable = stablePart(request);
  }

  get stream(): boolean {
    return this.request.stream;
  }

  /** Created when first read. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  set signal(signal: AbortSignal) {
    this.request.signal = signal;
  }

  get agentName(): string {
    return this.request.agentName;
  }

  get logger(): Logger {
    return this.request.logger;
  }
}

/** A step that is repeated for each request. */
export type ModelRequestStep = (request: TurnModelRequest) => Promise<void>;

/** A fixed piece of the system instruction that is long, and created with the first request. */
export interface LateFragment {
  readonly create: () => string;
}

/** A piece of the system instruction that is created for each request. */
export interface ChangingFragment {
  /** What it always begins with. */
  readonly beginning: string;
  /** What it is filled with: placeholders as they are written, or `a function`. */
  readonly places: readonly string[];
  readonly fill: (context: InvocationContext) => Promise<string>;
}

/** A piece of the system instruction: fixed, or created for each request. Empty pieces are left out. */
export type Fragment = string | LateFragment | ChangingFragment;

/** The common parts of an agent's requests, filled in by the processors. */
export interface ModelRequestDraft {
  config: GenerateContentConfig;
  readonly fragments: Fragment[];
  readonly steps: ModelRequestStep[];
}

/**
 * One concern of a request. Called once per agent: writes constant parts into the draft, and adds fragments and steps for
 * the parts that change.
 */
export type ModelRequestProcessor = (agent: TurnAgent, draft: ModelRequestDraft) => void;

/** The system instruction of an agent: in the config, or in fragments of which some are created for each request. */
interface PlannedConfig {
  readonly config: Readonly<GenerateContentConfig>;
  /** What the system instruction of each request begins with; undefined for the whole instruction. */
  readonly fixed: string | undefined;
  readonly fragments: readonly (string | ChangingFragment)[];
  readonly changing: readonly string[];
}

/** Builds an agent's requests. Constant parts are built once. */
export class ModelRequestPlan {
  private readonly draft: ModelRequestDraft;
  private planned: PlannedConfig | undefined;

  constructor(
    private readonly agent: TurnAgent,
    processors: readonly ModelRequestProcessor[],
  ) {
    this.draft = { config: {}, fragments: [], steps: [] };
    for (const process of processors) process(agent, this.draft);
  }

  /** @throws {InstructionKeyMissingError} */
  async build(context: InvocationContext, listing?: ToolsetListing): Promise<TurnModelRequest> {
    const { config, fragments, fixed, changing } = (this.planned ??= plannedConfig(this.draft));
    const request = new TurnModelRequest(context, this.agent, config, listing);
    if (fragments.length > 0) {
      const texts = await Promise.all(
        fragments.map(async (one) => (typeof one === 'string' ? one : one.fill(context))),
      );
      request.config = withSystem(config, texts);
      request.fixedInstruction = fixed;
      request.changing = changing;
    }
    for (const step of this.draft.steps) await step(request);
    return request;
  }
}

/**
 * The config is frozen deeply: all requests of the agent share it, and callbacks get it. Fixed pieces of the instruction
 * come before those that change, so that providers find as much as possible in their caches.
 */
function plannedConfig({ config: drafted, fragments }: ModelRequestDraft): PlannedConfig {
  const config = frozenJson(drafted);
  const fixed: string[] = [];
  const changing: ChangingFragment[] = [];
  for (const one of fragments) {
    if (typeof one === 'string') fixed.push(one);
    else if ('create' in one) fixed.push(one.create());
    else changing.push(one);
  }
  const [first] = changing;
  if (!first) {
    const whole = Object.freeze(withSystem(config, fixed));
    return { config: whole, fixed: undefined, fragments: [], changing: NOTHING };
  }
  const { systemInstruction } = withSystem({}, [...fixed, first.beginning]);
  return {
    config,
    fixed: (systemInstruction as string | undefined) ?? '',
    fragments: [...fixed, ...changing],
    changing: changing.flatMap(({ places }) => places),
  };
}

function withSystem(config: GenerateContentConfig, fragments: readonly unknown[]): GenerateContentConfig {
  const systemInstruction = fragments.filter((text) => text !== '').join('\n\n');
  return systemInstruction === '' ? config : { ...config, systemInstruction };
}
