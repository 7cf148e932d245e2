import {
  type CallbackContext,
  type ModelRequest,
  type ModelResponse,
  Plugin,
  type ReadonlyContext,
  type Tool,
  type ToolContext,
} from '@adorn/core';
import {
  ANY,
  checkPluginOptions,
  describeThrown,
  isOutcomeUnknown,
  messageForModel,
  namePattern,
  oneOf,
  type OptionRules,
  type RunEnd,
  wholeFrom,
} from '@adorn/core/backend';

/** The options of a `ReflectAndRetryPlugin`. */
export interface ReflectAndRetryOptions {
  /** The maximum number of retries, for each tool. Default: 3. */
  readonly maxRetries?: number;
  /** Names of tools; `*` stands for any characters. Default: all tools. */
  readonly tools?: string | readonly string[];
  /** `run` counts the failures of each run; `global` those of all runs of the runner together. Default: `run`. */
  readonly scope?: 'run' | 'global';
  /**
   * What happens after the last retry has failed: `error` answers the call with its error, as without the plugin;
   * `end` also ends the run with the error code `TOOL_RETRIES_EXHAUSTED`, instead of the next model call. Default:
   * `error`.
   */
  readonly whenExhausted?: 'error' | 'end';
}

const OPTIONS: OptionRules<ReflectAndRetryOptions> = {
  maxRetries: wholeFrom(0),
  // Read by `namePattern`.
  tools: ANY,
  scope: oneOf('run', 'global'),
  whenExhausted: oneOf('error', 'end'),
};

/** The consecutive model answers in which a tool failed. */
interface Failures {
  count: number;
  /** The event of the last such answer: failed calls of one answer count once. */
  eventId: string;
}

/** The failures of a run, or of all runs, by tool. */
type FailuresByTool = Map<string, Failures>;

/**
 * Answers a failed tool call with guidance for the model, so that it corrects the call or chooses another way.
 * Failures are counted for each tool; a success of the tool in a later answer starts the count again. Left as they are:
 * calls of long-running tools, calls that were cancelled, and calls that may have taken effect, which the model must not
 * repeat, unless the tool is `idempotent`. The error text is what the model would be told without the plugin.
 */
export class ReflectAndRetryPlugin extends Plugin {
  readonly name: string = 'reflect-and-retry';
  private readonly maxRetries: number;
  private readonly isWatched: (tool: string) => boolean;
  private readonly endsRun: boolean;
  private readonly isGlobal: boolean;
  /** By run; under an empty id if all runs are counted together. */
  private readonly failures = new Map<string, FailuresByTool>();
  /** The tools after whose last retry a run ends, by run. */
  private readonly exhausted = new Map<string, string>();

  /** @throws {PluginOptionInvalidError} */
  constructor(options: ReflectAndRetryOptions = {}) {
    super();
    const owner = 'ReflectAndRetryPlugin';
    checkPluginOptions(owner, options, OPTIONS);
    const { maxRetries = 3, tools = '*', scope = 'run', whenExhausted = 'error' } = options;
    this.maxRetries = maxRetries;
    this.isWatched = namePattern(`${owner}, tools`, tools);
    this.isGlobal = scope === 'global';
    this.endsRun = whenExhausted === 'end';
  }

  override onToolError(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    error: unknown,
    context: ToolContext,
  ): unknown {
    if (!this.isWatched(tool.name) || isLeftAlone(tool, error, context)) return undefined;
    const failures = this.failuresIn(context.invocationId);
    const attempt = countFailure(failures, tool.name, context.functionCallEventId);
    if (attempt > this.maxRetries) {
      if (this.endsRun) this.exhausted.set(context.invocationId, tool.name);
      return undefined;
    }
    const { name } = describeThrown(error);
    context.logger.warn(`tool "${tool.name}" failed; the model is asked to try again`, {
      callId: context.functionCallId,
      error: name,
      attempt,
    });
    dropSteering(context);
    return {
      error: messageForModel(tool, context, error),
      retry: `${String(attempt)} of ${String(this.maxRetries)}`,
      guidance: GUIDANCE,
    };
  }

  /** Resets the count after a success, but not after guidance for the last failure. */
  override afterTool(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    _result: unknown,
    { invocationId, functionCallEventId }: ToolContext,
  ): undefined {
    const byTool = this.failures.get(this.scopeOf(invocationId));
    if (byTool?.get(tool.name)?.eventId !== functionCallEventId) byTool?.delete(tool.name);
  }

  override beforeModel(_request: ModelRequest, { invocationId }: CallbackContext): ModelResponse | undefined {
    const exhausted = this.exhausted.get(invocationId);
    if (exhausted === undefined) return undefined;
    return {
      errorCode: 'TOOL_RETRIES_EXHAUSTED',
      errorMessage: `the tool "${exhausted}" failed after ${String(this.maxRetries)} retries`,
    };
  }

  override afterRun(_end: RunEnd, { invocationId }: ReadonlyContext): void {
    this.exhausted.delete(invocationId);
    if (!this.isGlobal) this.failures.delete(invocationId);
  }

  private failuresIn(invocationId: string): FailuresByTool {
    const scope = this.scopeOf(invocationId);
    let failures = this.failures.get(scope);
    if (!failures) this.failures.set(scope, (failures = new Map<string, Failures>()));
    return failures;
  }

  private scopeOf(invocationId: string): string {
    return this.isGlobal ? '' : invocationId;
  }
}

/** Guidance in place of the handle of a long-running call would leave the call open for ever. */
function isLeftAlone(tool: Tool, error: unknown, context: ToolContext): boolean {
  const { longRunning, idempotent } = tool.traits;
  if (longRunning === true || context.longRunning || describeThrown(error).code === 'CANCELLED') return true;
  return isOutcomeUnknown(tool, context) && idempotent !== true;
}

function countFailure(byTool: FailuresByTool, tool: string, eventId: string): number {
  const failures = byTool.get(tool);
  if (!failures) {
    byTool.set(tool, { count: 1, eventId });
    return 1;
  }
  if (failures.eventId !== eventId) {
    failures.count++;
    failures.eventId = eventId;
  }
  return failures.count;
}

/** Removes the actions of a failed call. */
function dropSteering({ actions }: ToolContext): void {
  actions.transferToAgent = undefined;
  delete actions.escalate;
  delete actions.skipSummarization;
}

const GUIDANCE =
  'Read the error and compare it with the description and the parameters of the tool. Correct the arguments ' +
  'and call it again, use another tool, or tell the user what is missing. Do not repeat the same call unchanged ' +
  'unless the error says that it may succeed later.';
