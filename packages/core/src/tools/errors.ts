import { AdornError } from '../errors/adorn.error.js';
import { describeThrown } from '../errors/describe-thrown.js';
import { shownName } from '../names/shown-name.js';

/** `@inject` stands before a parameter of a method that nobody but the user calls. */
export class InjectionMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, method: string) {
    super(
      `@inject stands before a parameter of ${className}.${method}, which is no tool, so nothing would fill it. ` +
        'Put @tool before the method, or inject into the constructor.',
    );
  }
}

/** An option of a tool does not exist, or has a value that cannot be used. */
export class ToolConfigInvalidError extends AdornError {
  readonly code = 'TOOL_CONFIG_INVALID';

  constructor(name: string | undefined, fault: string, cure: string) {
    super(`${name === undefined ? 'A tool' : `The tool "${shownName(name)}"`}: ${fault}. ${cure}`);
  }
}

/** The code and its record do not agree on which parameters `@inject` fills. */
export class InjectionStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  /** @param index of the parameter, from 0 */
  constructor(className: string, method: string, index: number, isInjected: boolean) {
    const [yes, no] = isInjected ? ['the code', 'its record'] : ['its record', 'the code'];
    super(
      `Parameter ${String(index + 1)} of ${className}.${method} is filled by @inject in ${yes} and not in ${no}. ` +
        'Import inject from adorn, and run "adorn build" again after the compiler.',
    );
  }
}

/** A tool that listens while it runs was called where nobody speaks: outside a live session. */
export class LiveSessionRequiredError extends AdornError {
  readonly code = 'LIVE_SESSION_REQUIRED';

  constructor(toolName: string) {
    super(
      `"${toolName}" takes LiveInput, which only a live session has, and this is none. Go on without it. ` +
        'Whoever wrote it: call it in runner.live, or offer the tool to live agents alone.',
    );
  }
}

/** What was given to `defineTool` cannot be made a tool. */
export class NotAFunctionError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(given: unknown) {
    super(
      `defineTool was given ${described(given)}. ` +
        'Give it a function with a name, or an object: defineTool({ name, description, run }).',
    );
  }
}

function described(given: unknown): string {
  if (typeof given !== 'function') return `a value of type ${typeof given}`;
  if (given.name === '') return 'a function without a name';
  return `the class ${given.name}; an agent has the @tool methods of a class that it lists`;
}

/** The parameters of a method, as its record lists them and as the code that runs has them. */
export interface ParameterLists {
  readonly recorded: readonly string[];
  readonly running: readonly string[];
}

/** A class has a tool method that its record does not know, or knows with other parameters. */
export class SchemaStaleError extends AdornError {
  readonly code = 'SCHEMA_STALE';

  constructor(className: string, method: string, parameters?: ParameterLists) {
    super(
      parameters === undefined
        ? `The record of ${className} has no schema for its tool method ${method}: it was written before the method was. ` +
            'Run "adorn build" again after the compiler, or put @tool on the overriding method as well.'
        : `The schema of ${className}.${method} is that of ${method}(${parameters.recorded.join(', ')}), but the code that ` +
            `runs has ${method}(${parameters.running.join(', ')}): one is older than the other. ` +
            'Compile the sources again, and then run "adorn build" if you use it.',
    );
  }
}

/** The model's arguments do not fit the tool. It is told what is wrong and may try again. */
export class ToolArgumentsInvalidError extends AdornError {
  readonly code = 'TOOL_ARGUMENTS_INVALID';

  constructor(
    readonly toolName: string,
    readonly problems: readonly string[],
    /** Arguments that would fit. */
    readonly example?: Readonly<Record<string, unknown>>,
  ) {
    const shown = example === undefined ? '' : ` An example: ${JSON.stringify(example)}`;
    super(
      `Invalid arguments for "${toolName}": ${problems.join('; ')}. Call it again with these mended.${shown}`,
    );
  }
}

/** `@tool` stands before something that cannot be one. */
export class ToolMisplacedError extends AdornError {
  readonly code = 'TOOL_MISPLACED';

  constructor(className: string, member: string | symbol, fault: string) {
    super(
      `@tool stands before ${className}.${String(member)}, which ${fault}. ` +
        'A tool is a public method of an instance: make it one, or take @tool away.',
    );
  }
}

/** No model could call a tool of that name. */
export class ToolNameInvalidError extends AdornError {
  readonly code = 'TOOL_NAME_INVALID';

  constructor(toolName: string, origin: string) {
    super(
      `${origin} is called "${toolName}", which is not a legal tool name. ` +
        'A name begins with a letter or an underscore and goes on with letters, digits, _ . : or -, 64 characters at most.',
    );
  }
}

/** Two tools of one agent bear one name, so a call could mean either. */
export class ToolNameTakenError extends AdornError {
  readonly code = 'TOOL_NAME_TAKEN';

  constructor(agentName: string, toolName: string, first: string, second: string) {
    super(
      `Agent "${agentName}" has two tools called "${toolName}": ${first} and ${second}. ` +
        "Give one of them another name with @tool({ name: '…' }), or take it from the agent's tools.",
    );
  }
}

/** The model called a tool the agent does not offer. It is told and may try again. */
export class ToolNotFoundError extends AdornError {
  readonly code = 'TOOL_NOT_FOUND';

  constructor(
    readonly toolName: string,
    readonly offered: readonly string[],
    readonly nearest: readonly string[],
  ) {
    super(`There is no tool called "${shownName(toolName)}". ${cure(offered, nearest)}`);
  }
}

function cure(offered: readonly string[], nearest: readonly string[]): string {
  if (offered.length === 0) return 'No tools are offered: answer without one.';
  if (nearest.length > 0) return `Did you mean ${nearest.join(' or ')}?`;
  return `These are offered: ${offered.join(', ')}.`;
}

/** A tool was asked what it takes before its schema was found. */
export class ToolNotReadyError extends AdornError {
  readonly code = 'SCHEMA_MISSING';

  constructor(toolName: string) {
    super(
      `The schema of tool "${toolName}" is not known yet: it is found when a runner is created. ` +
        'Wait for createRunner, or for the ready() of the tool, before you ask for its declaration or run it.',
    );
  }
}

/** What stands as a tool's schema is none. */
export class ToolSchemaInvalidError extends AdornError {
  readonly code = 'SCHEMA_INVALID';

  constructor(toolName: string, origin: string, cause: unknown) {
    super(
      `The declaration of tool "${toolName}" (${origin}) cannot be used: ` +
        `${describeThrown(cause).message}. Mend what the tool declares.`,
      { cause },
    );
  }
}

/** Throw it in a tool to tell the model what went wrong, in your words. The messages of other errors are kept from it. */
export class ToolError extends AdornError {
  readonly code = 'TOOL_FAILED';
}
