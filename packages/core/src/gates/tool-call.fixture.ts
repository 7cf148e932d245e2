import { toPrincipal } from '../approvals/principal.js';
import { CredentialResolver, type CredentialResolverFields } from '../auth/credential-resolver.js';
import { type CredentialService, InMemoryCredentialService } from '../auth/credential.service.js';
import type { CallbackChain } from './callbacks/callback-chain.js';
import type { AgentNode } from '../run/agent-node.js';
import type { Answer } from '../log/pending-call-index.js';
import { Cancellation } from '../run/cancellation.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { DEFAULT_RUN_CONFIG } from '../run/run-config.js';
import { sessionOf } from '../log/session-log.fixture.js';
import { type Clock, SystemClock } from '../runtime/clock.js';
import { Logger, type LogFacts } from '../runtime/logger.js';
import type { Arguments } from '@adorn/schema';
import { FunctionTool, type FunctionToolFields } from '../tools/function.tool.js';
import { ToolContext } from '../tools/tool-context.js';
import { ToolTable } from '../tools/tool-table.js';
import type { Tool } from '../tools/tool.js';
import type { EventSink } from '../events/event-sink.js';
import type { ToolCall } from './tool-call.js';
import { giveAnswerToCall } from './tool-dispatcher.js';

/** A call of a spec: its parts beside the tool. */
export interface CallParts {
  readonly id?: string;
  readonly args?: Arguments;
  readonly answer?: Answer;
  readonly callbacks?: CallbackChain;
  readonly credentials?: CredentialService;
  readonly auth?: Partial<CredentialResolverFields>;
  readonly logger?: Logger;
  readonly cancellation?: Cancellation;
  readonly clock?: Clock;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly invocationId?: string;
}

/** A call at the first gate, with an invocation that has what gates use. */
export async function toolCall(tool: Tool, parts: CallParts = {}): Promise<ToolCall> {
  const { id = 'c1', args = {}, answer, callbacks = {} } = parts;
  const { credentials = new InMemoryCredentialService(), logger = new ListLogger() } = parts;
  const { clock = new SystemClock(), userId = 'ada', sessionId = 's1', invocationId = 'i1' } = parts;
  const { cancellation = new Cancellation(clock) } = parts;
  const auth = new CredentialResolver({ credentials, logger, clock, ...parts.auth });
  const invocation = {
    invocationId,
    invocation: {},
    appName: 'app',
    userId,
    requester: toPrincipal(userId, 'the session'),
    config: { ...DEFAULT_RUN_CONFIG },
    session: Object.assign(sessionOf(), { id: sessionId }),
    services: { credentials, auth, logger, clock },
    event: (body: unknown) => body,
    cancellation,
  } as unknown as InvocationContext;
  const agent = { name: 'clerk' } as AgentNode;
  const entry = (await ToolTable.build('clerk', [tool])).find(tool.name);
  if (entry === undefined) throw new Error(`"${tool.name}" cannot be called`);
  const address = { toolName: tool.name, functionCallId: id, functionCallEventId: 'e1' };
  const context = new ToolContext(invocation, agent, address);
  Object.assign(context, { mayHaveTakenEffect: answer?.isInterrupted === true });
  const call = { id, entry, args, context, invocation, agent, callbacks, answer, isIntercepted: false };
  giveAnswerToCall(call);
  return call;
}

/** A tool without a description that takes any arguments. */
export function toolNamed(name: string, fields: Partial<FunctionToolFields> = {}): FunctionTool {
  return new FunctionTool({
    name,
    description: '',
    parameters: { type: 'object' },
    run: () => 'done',
    ...fields,
  });
}

/** Takes events and drops them. */
export const NO_SINK: EventSink = { emit: () => Promise.resolve() };

/** Keeps warnings and errors. */
export class ListLogger extends Logger {
  readonly lines: [string, LogFacts][] = [];

  debug(): void {
    // Not kept.
  }

  info(): void {
    // Not kept.
  }

  warn(message: string, facts: LogFacts = {}): void {
    this.lines.push([message, facts]);
  }

  error(message: string, facts: LogFacts = {}): void {
    this.lines.push([message, facts]);
  }
}
