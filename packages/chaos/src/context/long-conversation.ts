import { sessionCompaction } from '@adorn/compaction';
import {
  agentTool,
  ContainerModule,
  createRunner,
  defineAgent,
  type Event,
  FunctionTool,
  Logger,
  type ModelRequest,
  type ModelResponse,
  type PendingRequest,
  type Runner,
  workflow,
} from '@adorn/core';
import { sqlStorage } from '@adorn/storage';

import { QuietLogger } from '@adorn/conformance/quiet-logger';
import { seededRandom } from '../seeded-random.js';
import { WindowedModel } from './windowed-model.js';

/** What happened in a conversation, beside its faults. */
export interface LongConversation {
  readonly requests: number;
  readonly refused: number;
  readonly shortened: number;
  readonly forks: number;
  readonly rewinds: number;
  readonly approved: number;
  readonly oversized: number;
}

const TURNS = 10;
const SMALLEST_WINDOW = 8_000;
const LARGEST_WINDOW = 1_000_000;
const LARGEST_RESULT = 2_000_000;

/** A message that alone is longer than the model takes: the one thing that a run may fail of. */
const OVERSIZED = 0.03;

/**
 * Holds one conversation as a seed decides: results of 1 byte to 2 MB, a window of 8,000 to 1,000,000 tokens, requests that
 * wait, forks, rewinds, agents as tools and parallel branches.
 *
 * @throws {Error} that says what was lost
 */
export async function holdLongConversation(seed: number): Promise<LongConversation> {
  const conversation = new Conversation(seed);
  await using runner = await conversation.start();
  return await conversation.hold(runner);
}

class Conversation {
  private readonly random: () => number;
  private readonly model: WindowedModel;
  private readonly window: number;
  private readonly bytesPerToken: number;
  private readonly isStated: boolean;
  private readonly namesWindow: boolean;
  private readonly paid: string[] = [];
  private readonly counts = { forks: 0, rewinds: 0, approved: 0, oversized: 0 };
  private sessionId = 's1';
  /** The requests that wait, by the ids of their calls. */
  private waiting = new Map<string, PendingRequest>();
  /** The runs that can be undone, and what waited before each. */
  private runs: { readonly id: string; readonly before: ReadonlyMap<string, PendingRequest> }[] = [];

  constructor(private readonly seed: number) {
    this.random = seededRandom(seed);
    this.window = Math.round(this.size(SMALLEST_WINDOW, LARGEST_WINDOW));
    this.bytesPerToken = 2.5 + 2.5 * this.random();
    this.isStated = this.chance(0.3);
    this.namesWindow = this.chance(0.7);
    this.model = new WindowedModel({
      name: 'windowed',
      window: this.window,
      bytesPerToken: this.bytesPerToken,
      namesWindow: this.namesWindow,
      answer: (request) => this.answer(request),
    });
  }

  start(): Promise<Runner> {
    const logging = new ContainerModule(({ bind }) => {
      bind(Logger).toConstantValue(new QuietLogger());
    });
    const tools = this.tools();
    const clerk = (name: string): ReturnType<typeof defineAgent> =>
      defineAgent({ name, description: 'Looks things up.', tools: [tools.look, tools.save] });
    const team = workflow.parallel(clerk('left'), clerk('right'), {
      name: 'team',
      description: 'Looks two things up at once.',
    });
    const desk = defineAgent({
      name: 'desk',
      instruction: 'You are a desk.',
      tools: [tools.look, tools.save, tools.pay, agentTool(clerk('clerk')), agentTool(team)],
      maxIterations: 40,
    });
    return createRunner(desk, {
      model: this.model,
      modules: [logging, sessionCompaction, ...(this.seed % 4 === 0 ? [sqlStorage(':memory:')] : [])],
      ...(this.isStated && { context: { window: this.window } }),
      config: { maxLlmCalls: 10_000 },
    });
  }

  async hold(runner: Runner): Promise<LongConversation> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await this.say(runner, turn);
      await this.checkWaiting(runner);
      await this.doSomethingElse(runner);
      await this.checkWaiting(runner);
    }
    await this.finish(runner);
    this.checkRequests();
    const session = await runner.sessions.getSession(this.key(runner));
    const isShortening = ({ actions }: Event): boolean => actions.compaction !== undefined;
    return {
      requests: this.model.requests,
      refused: this.model.refused.length,
      shortened: session?.events.filter(isShortening).length ?? 0,
      ...this.counts,
    };
  }

  private tools(): Readonly<Record<'look' | 'save' | 'pay', FunctionTool>> {
    const parameters = { type: 'object', properties: { number: { type: 'integer' } } };
    const give = (): unknown => this.result();
    const of = (name: string, more: object): FunctionTool =>
      new FunctionTool({ name, description: `It can ${name}.`, parameters, run: give, ...more });
    const pay = (_args: unknown, { functionCallId }: { readonly functionCallId?: string }): string => {
      this.paid.push(functionCallId ?? '');
      return 'paid';
    };
    return {
      look: of('look', { effect: 'read' }),
      save: of('save', { effect: 'write' }),
      pay: of('pay', { effect: 'write', confirm: true, run: pay }),
    };
  }

  /** A text or rows, of 1 byte to 2 MB. */
  private result(): unknown {
    const size = this.size(1, LARGEST_RESULT);
    const word = this.chance(0.2) ? 'слово ' : 'word ';
    const text = word.repeat(Math.ceil(size / Buffer.byteLength(word)));
    if (this.chance(0.7)) return text.slice(0, Math.ceil(size));
    return { rows: Array.from({ length: Math.ceil(size / 500) }, () => ({ text: word.repeat(60) })) };
  }

  private answer({ config, contents }: ModelRequest): ModelResponse {
    const text = JSON.stringify(contents.at(-1));
    if (text.includes('Summarise the conversation below')) return says('What was said, in short.');
    if (text.includes('Are you there?') && !text.includes('functionResponse')) return says('Fine.');
    if (this.chance(0.35)) return says('Done. '.repeat(1 + Math.floor(20 * this.random())));
    const isDesk = JSON.stringify(config.systemInstruction).includes('You are a desk.');
    const names = isDesk ? ['look', 'look', 'save', 'pay', 'clerk', 'team'] : ['look', 'save'];
    const count = this.chance(0.3) ? 3 : 1;
    const parts = Array.from({ length: count }, () => {
      const name = names[Math.floor(names.length * this.random())] ?? 'look';
      const args = name === 'clerk' || name === 'team' ? { request: 'Look.' } : { number: 1 };
      return { functionCall: { name, args } };
    });
    const thought = this.chance(0.3) ? [{ text: 'I think. '.repeat(200), thought: true }] : [];
    return { content: { role: 'model', parts: [...thought, ...parts] } };
  }

  private async say(runner: Runner, turn: number): Promise<void> {
    const isOversized = this.chance(OVERSIZED);
    const most = (this.window * this.bytesPerToken) / 8;
    const size = isOversized ? 1.5 * this.window * this.bytesPerToken : this.size(1, Math.min(most, 20_000));
    const message = `Turn ${String(turn)}. ${'go '.repeat(Math.ceil(size / 3))}`;
    if (isOversized) this.counts.oversized += 1;
    const before = new Map(this.waiting);
    const last = await lastEvent(runner, { sessionId: this.sessionId, message });
    if (last?.errorCode !== undefined && !isOversized)
      throw new Error(`turn ${String(turn)} ended with ${last.errorCode}: ${String(last.errorMessage)}`);
    if (isOversized && last?.errorCode !== 'CONTEXT_TOO_LONG')
      throw new Error(`an oversized message ended with ${String(last?.errorCode)}`);
    if (last) this.runs.push({ id: last.invocationId, before });
    for (const request of await runner.pending({ sessionId: this.sessionId }))
      this.waiting.set(request.functionCallId, request);
  }

  private async doSomethingElse(runner: Runner): Promise<void> {
    const [first] = this.waiting.values();
    const choice = this.random();
    if (first && choice < 0.4) await this.approve(runner, first);
    else if (choice < 0.55) await this.rewind(runner);
    else if (choice < 0.65) await this.fork(runner);
  }

  private async approve(runner: Runner, request: PendingRequest): Promise<void> {
    const id = request.functionCallId;
    const before = this.paid.length;
    await runner.approve(request);
    this.counts.approved += 1;
    this.waiting.delete(id);
    if (this.paid.slice(before).filter((one) => one === id).length !== 1)
      throw new Error(`the approved call ${id} ran ${String(this.paid.length - before)} times`);
    this.runs = [];
    for (const one of await runner.pending({ sessionId: this.sessionId }))
      this.waiting.set(one.functionCallId, one);
  }

  private async rewind(runner: Runner): Promise<void> {
    const index = Math.floor(this.runs.length * this.random());
    const run = this.runs[index];
    if (!run) return;
    await runner.rewind({ sessionId: this.sessionId, invocationId: run.id });
    this.counts.rewinds += 1;
    this.waiting = new Map(run.before);
    this.runs = this.runs.slice(0, index);
  }

  /** Goes on in a copy, in which nothing waits. */
  private async fork(runner: Runner): Promise<void> {
    const { sessionId } = await runner.fork({ sessionId: this.sessionId });
    this.counts.forks += 1;
    this.sessionId = sessionId;
    this.waiting = new Map();
    this.runs = [];
  }

  private async checkWaiting(runner: Runner): Promise<void> {
    const open = await runner.pending({ sessionId: this.sessionId });
    const ids = open.map(({ functionCallId }) => functionCallId).sort();
    const expected = [...this.waiting.keys()].sort();
    if (ids.join() !== expected.join())
      throw new Error(`there wait [${ids.join()}], and not [${expected.join()}]`);
  }

  /** What waits can be answered, and the session answers. */
  private async finish(runner: Runner): Promise<void> {
    for (const request of this.waiting.values()) await this.approve(runner, request);
    const last = await lastEvent(runner, { sessionId: this.sessionId, message: 'Are you there?' });
    if (last?.text !== 'Fine.') throw new Error(`the session is dead: ${String(last?.errorMessage)}`);
  }

  private checkRequests(): void {
    const { faults } = this.model;
    if (faults[0] !== undefined) throw new Error(`a provider would refuse a request: ${faults[0]}`);
    const late = this.lateRefusals();
    if (late.length > 0)
      throw new Error(
        `requests ${late.join()} of ${String(this.model.requests)} were above the window of ` +
          `${String(this.window)}, of which a request before them has told`,
      );
  }

  /** The refused requests whose length could have been known to be too much. */
  private lateRefusals(): readonly number[] {
    const { refused, repeated, answeredAt = Infinity, largestRefused } = this.model;
    // How many tokens a byte is, is known from the first answer on.
    if (this.isStated) return refused.filter((request) => request > answeredAt);
    if (this.namesWindow) return repeated;
    // Each refusal that names no window halves the guess at it.
    const guesses = Math.ceil(Math.log2(Math.max(largestRefused, this.window) / this.window));
    return repeated.slice(guesses);
  }

  private key({ appName }: Runner): { appName: string; userId: string; sessionId: string } {
    return { appName, userId: 'user', sessionId: this.sessionId };
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Small sizes are as likely as large ones. */
  private size(smallest: number, largest: number): number {
    return smallest * (largest / smallest) ** this.random();
  }
}

function says(text: string): ModelResponse {
  return { content: { role: 'model', parts: [{ text }] } };
}

async function lastEvent(
  runner: Runner,
  input: { readonly sessionId: string; readonly message: string },
): Promise<Event | undefined> {
  let last: Event | undefined;
  for await (const event of runner.run(input)) last = event;
  return last;
}
