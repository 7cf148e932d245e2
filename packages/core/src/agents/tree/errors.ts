import { AdornError } from '@adorn/schema';

/** An agent is listed among its own descendants. */
export class AgentCircleError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(path: readonly string[]) {
    super(
      `An agent class is its own descendant: ${path.join(' → ')}. ` +
        'Remove it from the last subAgents of that path; an agent can transfer back to its parent without listing it.',
    );
  }
}

/** An option of an agent does not exist, has no effect, or has a value that cannot be used. */
export class AgentConfigInvalidError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(className: string, fault: string, cure: string, options?: ErrorOptions) {
    super(`@agent of ${className}: ${fault}. ${cure}`, options);
  }
}

/** An agent's name cannot be used in events and transfers. */
export class AgentNameInvalidError extends AdornError {
  readonly code = 'AGENT_NAME_INVALID';

  constructor(className: string, name: string) {
    super(
      `The agent name "${name}" of ${className} is not valid. ` +
        "A name starts with a letter or an underscore, followed by letters, digits, _ or -; 'user' is reserved. " +
        "Set another with @agent({ name: '…' }).",
    );
  }
}

/** Two agent classes of a tree have the same name, so a transfer would be ambiguous. */
export class AgentNameTakenError extends AdornError {
  readonly code = 'AGENT_NAME_TAKEN';

  constructor(name: string, first: string, second: string) {
    super(
      `Two agents are named "${name}": ${first} and ${second}. ` +
        "Rename one of them with @agent({ name: '…' }).",
    );
  }
}

/** An LlmAgent has no model. */
export class ModelMissingError extends AdornError {
  readonly code = 'MODEL_MISSING';

  static of(className: string): ModelMissingError {
    return new this(
      `${className} has no model, and neither has any of its parents. ` +
        "Set one with @agent({ model: 'gemini-2.5-flash' }), pass model to createRunner, or bind Model in a module.",
    );
  }

  static whenAsked(className: string): ModelMissingError {
    return new this(
      `${className} has no model: it states model: null, so its tools can only be called with runner.call. ` +
        'Set a model to send it messages.',
    );
  }
}

/** No provider knows the model's name. */
export class ModelNameUnknownError extends AdornError {
  readonly code = 'MODEL_NOT_FOUND';

  constructor(className: string, name: string) {
    const provider = providerOf(name);
    const meant =
      provider === undefined ? 'Check the name' : `Did you mean "${provider}/${name}"? Check the name`;
    super(
      `${className} names the model "${name}", which no bound provider knows. ` +
        `${meant}, or pass a Model instead: @agent({ model: new MyModel() }).`,
    );
  }
}

/** The makers of well-known models, by the beginnings of their names. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:gpt-|chatgpt-|o\d)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^(?:mistral|ministral|magistral|codestral|devstral|pixtral)-/, 'mistral'],
  [/^grok-/, 'xai'],
  [/^deepseek-/, 'deepseek'],
  [/^command-/, 'cohere'],
];

/** The provider that a model's name without a provider belongs to; undefined if unknown. */
function providerOf(name: string): string | undefined {
  return MAKERS.find(([pattern]) => pattern.test(name))?.[1];
}

/** An entry of an agent's `tools` is not a tool. */
export class NotAToolError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(className: string, place: number, fault: string) {
    super(
      `Entry ${String(place)} in the tools of ${className} ${fault}. ` +
        'A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, a Toolset, ' +
        'a tool of LangChain, or a record of tools of the AI SDK.',
    );
  }
}

/** Expected an agent class. */
export class NotAnAgentError extends AdornError {
  readonly code = 'NOT_AN_AGENT';

  constructor(found: unknown, place: string) {
    super(
      `${describe(found)} is not an agent class, but is used as ${place}. ` +
        'Pass a class that extends LlmAgent or BaseAgent; list a class that only has @tool methods under tools.',
    );
  }
}

/** A class extends `LlmAgent` and says nothing: most likely its `@agent` is missing. */
export class AgentNotDeclaredError extends AdornError {
  readonly code = 'NOT_AN_AGENT';

  constructor(className: string) {
    super(
      `${className} has neither @agent nor a member of its own, so its model would be told nothing. ` +
        'Put @agent({ … }) before the class, or override a member such as instruction.',
    );
  }
}

function describe(found: unknown): string {
  if (typeof found === 'function') return `Class ${found.name === '' ? '(anonymous)' : found.name}`;
  return found === undefined ? 'undefined (is there a circular import?)' : `A value of type ${typeof found}`;
}

/** An agent lists the same sub-agent twice. */
export class SubAgentTwiceError extends AdornError {
  readonly code = 'SUB_AGENT_TWICE';

  constructor(parent: string, child: string) {
    super(
      `${parent} lists ${child} twice in its subAgents. ` +
        'List it once, or write a subclass with its own name for the second one.',
    );
  }
}
