import { isRequestName } from '../events/pending-request.js';
import { AdornError, describeThrown, shownName } from '@adorn/schema';

/** `@inject` decorates a parameter of a method that is not a tool. */
export class InjectionMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, method: string) {
    super(
      `@inject has no effect on a parameter of ${className}.${method}, because the method is not a tool. ` +
        'Add @tool to the method, or inject into the constructor.',
    );
  }
}

/** The file of a decorated class was compiled without `experimentalDecorators`. */
export class ExperimentalDecoratorsMissingError extends AdornError {
  readonly code = 'EXPERIMENTAL_DECORATORS_MISSING';

  /** @param target such as `the method "roll"` */
  constructor(decorator: string, target: string, file: string | undefined) {
    const where = file === undefined ? '' : ` (${file})`;
    super(
      `@${decorator} on ${target}${where} was called as a standard decorator, because its file was compiled without ` +
        '"experimentalDecorators". Set "experimentalDecorators": true in the "compilerOptions" of tsconfig.json: ' +
        'tsc, tsx, esbuild and Vite read it there. The "include" of that tsconfig.json must cover the file.',
    );
  }
}

/** An option of a tool does not exist, or has a value that cannot be used. */
export class ToolConfigInvalidError extends AdornError {
  readonly code = 'TOOL_CONFIG_INVALID';

  /** @param name the tool's name, if it has a valid one */
  constructor(name: unknown, fault: string, cure: string) {
    super(`${typeof name === 'string' ? `The tool "${shownName(name)}"` : 'A tool'}: ${fault}. ${cure}`);
  }
}

/** The code and its record differ in which parameters `@inject` fills. */
export class InjectionStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  /** @param index of the parameter, from 0 */
  constructor(className: string, method: string, index: number, isInjected: boolean) {
    const [yes, no] = isInjected ? ['the code', 'its record'] : ['its record', 'the code'];
    super(
      `Parameter ${String(index + 1)} of ${className}.${method} is injected in ${yes}, but not in ${no}. ` +
        'Import inject from adorn, compile, and run "adorn build" again.',
    );
  }
}

/** `defineTool` was called with a value that cannot become a tool. */
export class NotAFunctionError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(given: unknown) {
    super(
      `defineTool was called with ${described(given)}. ` +
        'Pass a named function, or an object: defineTool({ name, description, run }).',
    );
  }
}

function described(given: unknown): string {
  if (typeof given !== 'function') return `a value of type ${given === null ? 'null' : typeof given}`;
  if (given.name === '') return 'a function without a name';
  return `the class ${given.name}; list a class with @tool methods under the tools of an agent`;
}

/** The parameters of a method in its record and in the running code. */
export interface ParameterLists {
  readonly recorded: readonly string[];
  readonly running: readonly string[];
}

/** The record of a class lacks one of its tool methods, or lists other parameters for it. */
export class SchemaStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(className: string, method: string, parameters?: ParameterLists) {
    super(
      parameters
        ? `The schema of ${className}.${method} was derived from ${method}(${parameters.recorded.join(', ')}), but the ` +
            `running code has ${method}(${parameters.running.join(', ')}): one of them is outdated. ` +
            'Compile the sources again, then run "adorn build" if you use it.'
        : `The record of ${className} has no schema for the tool method ${method}: it is older than the method. ` +
            'Compile and run "adorn build" again, or add @tool to the overriding method too.',
    );
  }
}

/** `@tool` decorates a member that cannot be a tool. */
export class ToolMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, member: string | symbol, fault: string) {
    super(
      `@tool decorates ${className}.${String(member)}, which ${fault}. ` +
        'A tool must be a public instance method: make it one, or remove @tool.',
    );
  }
}

/** A tool has a name that models cannot call. */
export class ToolNameInvalidError extends AdornError {
  readonly code = 'TOOL_NAME_INVALID';

  constructor(toolName: string, origin: string) {
    super(
      `The tool name "${toolName}" of ${origin} is not valid. ` +
        (isRequestName(toolName) ? 'It is reserved for requests to a person. ' : '') +
        'A name starts with a letter or an underscore, followed by letters, digits, _ . : or -, at most 64 characters.',
    );
  }
}

/** Two tools of an agent have the same name, so a call would be ambiguous. */
export class ToolNameTakenError extends AdornError {
  readonly code = 'TOOL_NAME_TAKEN';

  constructor(agentName: string, toolName: string, first: string, second: string) {
    super(
      `Agent "${agentName}" has two tools named "${toolName}": ${first} and ${second}. ` +
        "Rename one with @tool({ name: '…' }), remove it from the agent's tools, or give the tools of a toolset a " +
        "prefix: withPrefix(toolset, '…').",
    );
  }
}

/** The model called a tool that the agent does not offer. The message goes to the model, which may try again. */
export class ToolNotFoundError extends AdornError {
  readonly code = 'TOOL_NOT_FOUND';

  constructor(
    readonly toolName: string,
    readonly offered: readonly string[],
    readonly nearest: readonly string[],
    /** What else there is to say. Default: nothing. */
    hint = '',
  ) {
    super(`There is no tool called "${shownName(toolName)}". ${cure(offered, nearest)} ${hint}`.trimEnd());
  }
}

function cure(offered: readonly string[], nearest: readonly string[]): string {
  if (offered.length === 0) return 'No tools are available. Answer without one.';
  if (nearest.length > 0) return `Did you mean ${nearest.join(' or ')}?`;
  return `These are offered: ${offered.join(', ')}.`;
}

/** An answer of a model has more calls than the run allows: this one did not run, and nobody was asked about it. */
export class ToolCallLimitError extends AdornError {
  readonly code = 'TOOL_CALL_LIMIT';

  constructor(toolName: string, calls: number, limit: number) {
    super(
      `"${shownName(toolName)}" was not called: the answer has ${String(calls)} calls, and at most ${String(limit)} of one ` +
        'answer run. Make the call again in a later answer, if it is still needed.',
    );
  }
}

/** The end of what a model wrote that is shown to it again. */
const SHOWN_END = 200;

/** The output limit of the model cut off the arguments of a call. The message goes to the model, which may write less. */
export class ToolCallCutError extends AdornError {
  readonly code = 'TOOL_CALL_CUT';

  /** @param written the arguments as far as the model wrote them */
  constructor(
    readonly toolName: string,
    readonly written: string,
  ) {
    super(
      `"${shownName(toolName)}" was not called: the output limit (MAX_TOKENS) cut off its arguments after ` +
        `${String(written.length)} characters, which end with: ${written.slice(-SHOWN_END)}\n` +
        'Call it again with shorter arguments, or in several calls.',
    );
  }
}

/** The model called a tool that is part of its requests. The message goes to the model, which may go on without the call. */
export class ToolNotCallableError extends AdornError {
  readonly code = 'TOOL_NOT_CALLABLE';

  constructor(
    readonly toolName: string,
    readonly offered: readonly string[],
  ) {
    super(
      `"${toolName}" is not a function and cannot be called: it takes effect by itself while you answer. ` +
        (offered.length === 0 ? 'Answer without a call.' : `These can be called: ${offered.join(', ')}.`),
    );
  }
}

/** A tool's declaration was read, or the tool run, before its schema was loaded. */
export class ToolNotReadyError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(toolName: string) {
    super(
      `The schema of tool "${toolName}" is not loaded yet; createRunner loads it. ` +
        'Await createRunner, or the ready() method of the tool, before you read its declaration or run it.',
    );
  }
}

/** A tool's declaration or schema is not valid. */
export class ToolSchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(toolName: string, origin: string, cause: unknown) {
    super(
      `The declaration of tool "${toolName}" (${origin}) is not valid: ` +
        `${describeThrown(cause).message}. Correct the declaration.`,
      { cause },
    );
  }
}

/**
 * Throw this in a tool to send its message to the model. The messages of other errors are hidden from the model.
 *
 * @example
 * throw new ToolError(`There is no order ${id}.`, { final: true });
 */
export class ToolError extends AdornError {
  readonly code = 'TOOL_FAILED';
  /** Whether `retry` leaves the run alone: another attempt would fail too. */
  readonly isFinal: boolean;
  /** Whether the tool may have taken effect all the same. */
  readonly mayHaveTakenEffect: boolean;
  /** Milliseconds that `retry` waits before the next attempt; undefined for its own delay. */
  readonly retryAfterMs: number | undefined;

  /**
   * @param options `cause`; `final`: true if the run must not be repeated by `retry`; `mayHaveTakenEffect`: true if it is
   *   not known whether the tool took effect, and the model must read so. Default of both: false. `retryAfterMs`: milliseconds
   *   that a service asks to wait before the next attempt, in place of the delay of `retry`; the run is not repeated if they
   *   exceed `maxDelayMs`
   */
  constructor(
    message: string,
    options?: ErrorOptions & {
      readonly final?: boolean;
      readonly mayHaveTakenEffect?: boolean;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    super(message, options);
    this.isFinal = options?.final === true;
    this.mayHaveTakenEffect = options?.mayHaveTakenEffect === true;
    this.retryAfterMs = options?.retryAfterMs;
  }
}
