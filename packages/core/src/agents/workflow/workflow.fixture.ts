import { ContainerModule } from 'inversify';

import { eventsOf, ScriptedModel, type ScriptedStep } from '@adorn/testing';

import type { DefinedAgentClass, RunRecord } from '../../backend.js';
import {
  type AgentClass,
  createRunner,
  defineAgent,
  type Event,
  exitLoop,
  FunctionTool,
  InMemorySessionService,
  Logger,
  type PendingRequest,
  type Plugin,
  type Runner,
  type Session,
  SessionService,
} from '../../index.js';
import { logOf } from '../../events/session.js';

/** A tool that returns control to the agent above. */
export const giveUp = new FunctionTool({
  name: 'give_up',
  description: 'Give up.',
  run: (_args, { actions }) => {
    actions.escalate = true;
    return 'given up';
  },
});

/** The tools of all scripted agents, and how often they ran. */
export class Desk {
  readonly ran: string[] = [];

  /** @param asks whether `publish` waits for a person */
  constructor(private readonly asks = true) {}

  readonly publish = new FunctionTool({
    name: 'publish',
    description: 'It does its work.',
    confirm: () => this.asks,
    run: () => this.ran.push('publish'),
  });
  readonly note = new FunctionTool({
    name: 'note',
    description: 'It does its work.',
    parameters: { type: 'object', properties: { key: { type: 'string' }, value: { type: 'string' } } },
    run: ({ key, value }, { state }) => {
      state.set(String(key), value);
      return 'noted';
    },
  });

  /** An LLM agent with a model and a script of its own. */
  agent(name: string, ...steps: ScriptedStep[]): DefinedAgentClass & { readonly model: ScriptedModel } {
    const model = new ScriptedModel(...steps);
    const tools = [this.publish, this.note, giveUp, exitLoop(), exitLoop('outer')];
    return Object.assign(defineAgent({ name, model, tools, description: 'It does its work.' }), { model });
  }
}

/** A conversation with a tree, in which each message and each answer may have a process of its own. */
export class Conversation {
  static readonly address = { userId: 'ada', sessionId: 's1' };
  readonly log = new Warnings();

  constructor(
    private readonly root: AgentClass<unknown>,
    private readonly sessions: SessionService = new InMemorySessionService(),
  ) {}

  async say(message = 'Go.', stateDelta?: Record<string, unknown>): Promise<Event[]> {
    const runner = await this.open();
    return eventsOf(runner.run({ ...Conversation.address, message, ...(stateDelta && { stateDelta }) }));
  }

  /** Approves the n-th request, in a runner of its own. */
  async approve(index = 0): Promise<Event[]> {
    const [request] = (await this.pending()).slice(index);
    if (request === undefined) throw new Error('Nothing is pending.');
    return eventsOf((await this.open()).approve(request));
  }

  async pending(): Promise<PendingRequest[]> {
    return (await this.open()).pending(Conversation.address);
  }

  async state(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.session()).state;
  }

  /** All events of the log. */
  async stored(): Promise<readonly Event[]> {
    return logOf(await this.session());
  }

  /** A new runner over the same sessions: another process. */
  async open(plugins: readonly Plugin[] = []): Promise<Runner<unknown>> {
    const { sessions, log, root } = this;
    const bindings = new ContainerModule(({ bind }) => {
      bind(SessionService).toConstantValue(sessions);
      bind(Logger).toConstantValue(log);
    });
    return createRunner(root, { modules: [bindings], plugins, config: { takeOverAfter: 0 } });
  }

  private async session() {
    const { appName } = await this.open();
    const session = await this.sessions.getSession({ appName, ...Conversation.address });
    if (session === undefined) throw new Error('There is no session.');
    return session;
  }
}

/** Makes a number of writes; then its process is dead. Events that are stored together are one write. */
export class MortalSessionService extends InMemorySessionService {
  left = Infinity;
  private isStoringSeveral = false;

  override async appendEvent(...args: Parameters<SessionService['appendEvent']>): Promise<Session> {
    if (!this.isStoringSeveral) this.spendOne();
    return super.appendEvent(...args);
  }

  override async appendEvents(...args: Parameters<SessionService['appendEvents']>): Promise<Session> {
    this.spendOne();
    this.isStoringSeveral = true;
    try {
      return await super.appendEvents(...args);
    } finally {
      this.isStoringSeveral = false;
    }
  }

  override async openRun(...args: Parameters<SessionService['openRun']>): Promise<RunRecord> {
    this.spendOne();
    return super.openRun(...args);
  }

  override async closeRun(...args: Parameters<SessionService['closeRun']>): Promise<void> {
    if (this.left <= 0) throw new Error('The process is dead.');
    return super.closeRun(...args);
  }

  private spendOne(): void {
    if (this.left-- <= 0) throw new Error('The process is dead.');
  }
}

class Warnings extends Logger {
  readonly warnings: [message: string, facts: unknown][] = [];

  debug = (): void => undefined;
  info = (): void => undefined;
  warn = (message: string, facts?: unknown): void => void this.warnings.push([message, facts]);
  error = (): void => undefined;
}

/** What each event tells, as `path: text`. */
export function lines(events: readonly Event[]): string[] {
  return events.map(line);
}

function line({ nodeInfo, text, functionCalls, functionResponses, errorCode, actions }: Event): string {
  const [call] = functionCalls;
  const [response] = functionResponses;
  const said = [
    call && `call ${call.name ?? ''}`,
    response && `response ${response.name ?? ''}`,
    errorCode,
    text || undefined,
    actions.escalate && 'escalates',
  ].find((one) => typeof one === 'string');
  return `${nodeInfo?.path ?? 'user'}: ${said ?? ''}`;
}

/** A promise, and what resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
