import {
  agent,
  type AgentClass,
  BaseAgent,
  type Content,
  defineAgent,
  type Event,
  exitLoop,
  workflow,
  FunctionTool,
  type InvocationContext,
  Model,
  type ModelRequest,
  type ModelResponse,
  type Part,
} from '../../index.js';
import { functionCallsOf, functionResponsesOf } from '../../events/content-parts.js';
import { isSameJson } from '@adorn/schema';

interface Call {
  readonly call: string;
  readonly args?: Record<string, unknown>;
  readonly id?: string;
}

/** What the model of an agent answers to one request. */
export type Step =
  string | Call | { readonly calls: readonly Call[] } | { readonly fails: string } | { readonly hangs: true };

/** An LLM agent. A name that stands in a tree twice is one class under two parents; the first says what it is. */
interface LlmTree {
  readonly kind: 'agent';
  readonly name: string;
  /** The answers of its model, in the order of the agent's history; later ones say that the agent rests. */
  readonly steps?: readonly Step[];
  readonly subAgents?: readonly Tree[];
  readonly tools?: readonly Tree[];
  /** Gives the conversation back to its parent. Default: false. */
  readonly isCalled?: boolean;
}

interface WorkflowTree {
  /** A `route` leads to its last agent; a `custom` agent invokes its agents in turn, twice. */
  readonly kind: 'sequence' | 'parallel' | 'race' | 'fallback' | 'route' | 'custom' | 'loop' | 'map';
  readonly name: string;
  /** A `map` has one. */
  readonly of: readonly Tree[];
  /** Of a `loop`. */
  readonly maxIterations?: number;
}

/** An agent tree as JSON. */
export type Tree = LlmTree | WorkflowTree;

/** The state key of the list that a `map` reads. */
const ITEMS = 'items';

/** The classes of a tree, and what their tools did and their models saw. */
export class AgentTree {
  /** How often `publish` ran. */
  published = 0;
  readonly models = new Map<string, StepModel>();
  readonly root: AgentClass<unknown>;
  private readonly classes = new Map<string, AgentClass<unknown>>();
  /** How often `pay` and `post` ran under each idempotency key. */
  readonly effects = new Map<string, number>();
  private readonly publish: FunctionTool;
  /** Asks first, and never runs twice. */
  private readonly pay = new FunctionTool({
    name: 'pay',
    description: '',
    effect: 'write',
    confirm: true,
    run: (_args, { idempotencyKey }) => this.hasEffect(idempotencyKey),
  });
  /** Asks nobody, and never runs twice. */
  private readonly post = new FunctionTool({
    name: 'post',
    description: '',
    effect: 'write',
    run: (_args, { idempotencyKey }) => this.hasEffect(idempotencyKey),
  });
  /** Runs in the background, and ends once the timers of the process had a turn. */
  private readonly watch = new FunctionTool({
    name: 'watch',
    description: '',
    background: true,
    idempotent: true,
    run: () => new Promise((resolve) => setImmediate(resolve, 'watched')),
  });

  /** @param asks whether `publish` waits for a person */
  constructor(tree: Tree, asks = true) {
    const run = (): string => {
      this.published += 1;
      return 'published';
    };
    this.publish = new FunctionTool({
      name: 'publish',
      description: '',
      idempotent: true,
      confirm: () => asks,
      run,
    });
    this.root = this.build(tree);
  }

  /** How often the models of the tree were asked. */
  get modelCalls(): number {
    return [...this.models.values()].reduce((sum, { calls }) => sum + calls, 0);
  }

  /** What is wrong with the requests that the models got: providers refuse such a history. */
  get requestFaults(): string[] {
    return [...this.models.values()].flatMap(({ faults }) => faults);
  }

  private hasEffect(key: string): string {
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
    return 'done';
  }

  private build(tree: Tree): AgentClass<unknown> {
    const built =
      this.classes.get(tree.name) ?? (tree.kind === 'agent' ? this.llm(tree) : this.workflow(tree));
    this.classes.set(tree.name, built);
    return built;
  }

  private llm({ name, steps = [], subAgents = [], tools = [], isCalled = false }: LlmTree): AgentClass {
    const model = new StepModel(name, steps);
    this.models.set(name, model);
    return defineAgent({
      name,
      model,
      delegation: isCalled ? 'call' : 'handoff',
      subAgents: subAgents.map((child) => this.build(child)),
      tools: [
        this.publish,
        this.pay,
        this.post,
        this.watch,
        exitLoop(),
        ...tools.map((child) => this.build(child)),
      ],
    });
  }

  private workflow({ kind, name, of, maxIterations = 2 }: WorkflowTree): AgentClass<unknown> {
    const agents = of.map((child) => this.build(child));
    const last = agents.at(-1)!;
    switch (kind) {
      case 'sequence':
        return workflow.sequence(...agents, { name });
      case 'parallel':
        return workflow.parallel(...agents, { name });
      case 'race':
        return workflow.race(...agents, { name });
      case 'fallback':
        return workflow.fallback(...agents, { name });
      case 'loop':
        return workflow.loop(...agents, { name, maxIterations });
      case 'map':
        return workflow.map(last, { name, itemsKey: ITEMS });
      case 'route':
        return workflow.route(...agents.map((one) => ({ agent: one, when: () => one === last })), { name });
      case 'custom':
        return customAgent(name, agents);
    }
  }
}

/** An agent with a `run` of its own, which invokes its agents in turn, twice, and says what they said. */
function customAgent(name: string, subAgents: readonly AgentClass<unknown>[]): AgentClass {
  @agent({ name, description: '', subAgents })
  class Custom extends BaseAgent {
    async *run(context: InvocationContext): AsyncGenerator<Event, void, undefined> {
      const rounds = await context.once('rounds', () => 2);
      const texts: string[] = [];
      for (let round = 0; round < rounds; round++)
        for (const child of subAgents) texts.push((yield* context.invoke(child)).text);
      yield context.event({ author: name, content: { role: 'model', parts: [{ text: texts.join(' ') }] } });
    }
  }
  return Custom;
}

/**
 * A model that answers with the step that follows the answers in its history, so that the same history gets the same
 * answer: also in another process, and where the answer was lost with the process.
 */
class StepModel extends Model {
  /** What the model was shown at its last call: the texts of users and agents. */
  seen: readonly string[] = [];
  /** How often it was asked. */
  calls = 0;
  readonly faults: string[] = [];

  constructor(
    readonly name: string,
    private readonly steps: readonly Step[],
  ) {
    super();
  }

  async *generate({ contents, signal }: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    this.calls++;
    this.faults.push(...faultsOf(contents));
    const parts = contents.flatMap((content) => content.parts ?? []);
    this.seen = parts.flatMap(({ text }) => text ?? []);
    const step = this.steps[this.positionAfter(contents)] ?? `${this.name} rests`;
    if (typeof step === 'object' && 'fails' in step) throw new TypeError(step.fails);
    if (typeof step === 'object' && 'hangs' in step) await aborted(signal);
    yield { content: { role: 'model', parts: partsOf(step) }, finishReason: 'STOP' };
  }

  private positionAfter(contents: readonly Content[]): number {
    let left = contents.filter(({ role }) => role === 'model').flatMap(({ parts }) => parts ?? []).length;
    let position = 0;
    for (const step of this.steps) {
      left -= Math.max(1, partsOf(step).length);
      if (left < 0) break;
      position++;
    }
    return position;
  }
}

function partsOf(step: Step): Part[] {
  if (typeof step === 'string') return [{ text: step }];
  const calls = 'calls' in step ? step.calls : 'call' in step ? [step] : [];
  return calls.map(({ call: name, args = {}, id }) => ({
    functionCall: { name, args, ...(id !== undefined && { id }) },
  }));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('The model was cancelled.'));
    });
  });
}

/** Each call is followed by its response, each response follows its call, and a user has the last word. */
function faultsOf(contents: readonly Content[]): string[] {
  const faults = contents.flatMap((content, index) => {
    const calls = functionCallsOf(content).map(({ name }) => name);
    const answered = functionCallsOf(contents[index - 1]).map(({ name }) => name);
    const responses = functionResponsesOf(content).map(({ name }) => name);
    return [
      ...(calls.length > 0 && content.role !== 'model' ? ['a call of a user'] : []),
      ...(isSameJson(answered, responses) ? [] : [`${answered.join()} answered by ${responses.join()}`]),
      ...(content.parts?.length ? [] : ['a content without parts']),
    ];
  });
  return contents.at(-1)?.role === 'user' ? faults : [...faults, 'a model has the last word'];
}
