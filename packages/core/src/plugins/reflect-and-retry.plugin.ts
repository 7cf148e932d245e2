import { Plugin, type RunEnd } from '../callbacks/plugin.js';
import { messageForModel } from '../dispatch/outcome.js';
import { describeThrown } from '../errors/describe-thrown.js';
import type { CallbackContext, ReadonlyContext } from '../invocation/callback-context.js';
import type { ModelRequest } from '../models/model.js';
import type { ModelResponse } from '../models/model-response.js';
import { optionNames } from '../schema/nearest-names.js';
import type { Tool } from '../tools/tool.js';
import type { ToolContext } from '../tools/tool-context.js';
import { namePattern, PluginOptionInvalidError, requireKnownOptions } from './plugin-options.js';

/** The options of a `ReflectAndRetryPlugin`. */
export interface ReflectAndRetryOptions {
  /** The maximum number of retries, for each tool in each run. Default: 3. */
  readonly maxRetries?: number;
  /** Names of tools; `*` stands for any characters. Default: all tools. */
  readonly tools?: string | readonly string[];
  /**
   * What happens after the last retry has failed: `error` answers the call with its error, as without the plugin;
   * `end` also ends the run with the error code `TOOL_RETRIES_EXHAUSTED`, instead of the next model call. Default:
   * `error`.
   */
  readonly whenExhausted?: 'error' | 'end';
}

const OPTIONS = optionNames<ReflectAndRetryOptions>({ maxRetries: true, tools: true, whenExhausted: true });

/** The consecutive model answers in which a tool failed. */
interface Failures {
  count: number;
  /** The event of the last such answer: failed calls of one answer count once. */
  eventId: string;
}

/** The failures of one run. */
interface RunFailures {
  readonly byTool: Map<string, Failures>;
  exhausted: string | undefined;
}

/**
 * Answers a failed tool call with guidance for the model, so that it corrects the call or chooses another way.
 * Failures are counted for each tool in each run; a success of the tool in a later answer starts the count again.
 * Calls of long-running tools, and calls that were cancelled, are left as they are. The error text is what the model
 * would be told without the plugin.
 */
export class ReflectAndRetryPlugin extends Plugin {
  readonly name: string = 'reflect-and-retry';
  private readonly maxRetries: number;
  private readonly isWatched: (tool: string) => boolean;
  private readonly endsRun: boolean;
  private readonly runs = new Map<string, RunFailures>();

  /** @throws {PluginOptionInvalidError} */
  constructor(options: ReflectAndRetryOptions = {}) {
    super();
    const owner = 'ReflectAndRetryPlugin';
    requireKnownOptions(owner, options, OPTIONS);
    const { maxRetries = 3, tools = '*', whenExhausted = 'error' } = options;
    if (!Number.isInteger(maxRetries) || maxRetries < 0) {
      throw new PluginOptionInvalidError(
        owner,
        `its maxRetries is ${String(maxRetries)}. Pass a whole number from 0.`,
      );
    }
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- from JavaScript it may be anything
    if (whenExhausted !== 'error' && whenExhausted !== 'end') {
      throw new PluginOptionInvalidError(owner, 'its whenExhausted is neither "error" nor "end".');
    }
    this.maxRetries = maxRetries;
    this.isWatched = namePattern(owner, tools);
    this.endsRun = whenExhausted === 'end';
  }

  override onToolError(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    error: unknown,
    context: ToolContext,
  ): unknown {
    if (!this.isWatched(tool.name) || isLeftAlone(tool, error, context)) return undefined;
    const run = this.runOf(context.invocationId);
    const attempt = countFailure(run, tool.name, context.functionCallEventId);
    if (attempt > this.maxRetries) {
      if (this.endsRun) run.exhausted = tool.name;
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
      guidance: guidanceFor(tool, error),
    };
  }

  /** Resets the count after a success, but not after guidance for the last failure. */
  override afterTool(
    tool: Tool,
    _args: Readonly<Record<string, unknown>>,
    _result: unknown,
    { invocationId, functionCallEventId }: ToolContext,
  ): undefined {
    const byTool = this.runs.get(invocationId)?.byTool;
    if (byTool?.get(tool.name)?.eventId !== functionCallEventId) byTool?.delete(tool.name);
  }

  override beforeModel(_request: ModelRequest, { invocationId }: CallbackContext): ModelResponse | undefined {
    const exhausted = this.runs.get(invocationId)?.exhausted;
    if (exhausted === undefined) return undefined;
    return {
      errorCode: 'TOOL_RETRIES_EXHAUSTED',
      errorMessage: `the tool "${exhausted}" failed after ${String(this.maxRetries)} retries`,
    };
  }

  override afterRun(_end: RunEnd, { invocationId }: ReadonlyContext): void {
    this.runs.delete(invocationId);
  }

  private runOf(invocationId: string): RunFailures {
    let run = this.runs.get(invocationId);
    if (run === undefined) this.runs.set(invocationId, (run = { byTool: new Map(), exhausted: undefined }));
    return run;
  }
}

/** Guidance in place of the handle of a long-running call would leave the call open for ever. */
function isLeftAlone({ traits }: Tool, error: unknown, { longRunning }: ToolContext): boolean {
  return traits.longRunning === true || longRunning || describeThrown(error).code === 'CANCELLED';
}

function countFailure({ byTool }: RunFailures, tool: string, eventId: string): number {
  const failures = byTool.get(tool);
  if (failures === undefined) {
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

function guidanceFor({ traits }: Tool, error: unknown): string {
  const mayHaveHappened = describeThrown(error).code === 'TOOL_TIMEOUT' && traits.effect !== 'read';
  const check = mayHaveHappened ? 'The call may have taken effect: find out before calling again. ' : '';
  return (
    `${check}Read the error and compare it with the description and the parameters of the tool. Correct the arguments ` +
    'and call it again, use another tool, or tell the user what is missing. Do not repeat the same call unchanged ' +
    'unless the error says that it may succeed later.'
  );
}
