import { AdornError } from '../../errors/adorn.error.js';

/** An agent stands among its own descendants. */
export class AgentCircleError extends AdornError {
  readonly code = 'AGENT_CONFIG_INVALID';

  constructor(path: readonly string[]) {
    super(
      `An agent class stands beneath itself: ${path.join(' → ')}. ` +
        'Take it out of the subAgents at the end of that line; agents hand back by transfer_to_agent without being listed.',
    );
  }
}

/** An agent was told something where it has no effect, or that cannot be used. */
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
      `${className} is called "${name}", which cannot be the name of an agent. ` +
        "A name begins with a letter or an underscore and goes on with letters, digits, _ or -; 'user' is taken by the user. " +
        "Give it one with @agent({ name: '…' }).",
    );
  }
}

/** Two agent classes of a tree bear one name, so a hand-over could mean either. */
export class AgentNameTakenError extends AdornError {
  readonly code = 'AGENT_NAME_TAKEN';

  constructor(name: string, first: string, second: string) {
    super(
      `Two agents are called "${name}": ${first} and ${second}. ` +
        "Give one of them another name with @agent({ name: '…' }).",
    );
  }
}

/** An agent that talks to a model has none. */
export class ModelMissingError extends AdornError {
  readonly code = 'MODEL_MISSING';

  constructor(className: string) {
    super(
      `${className} has no model, nor has an agent above it. ` +
        "Name one with @agent({ model: 'gemini-2.5-flash' }), pass createRunner's model, or bind Model in a module.",
    );
  }
}

/** Nobody makes a model of that name. */
export class ModelNameUnknownError extends AdornError {
  readonly code = 'MODEL_NOT_FOUND';

  constructor(className: string, name: string) {
    super(
      `${className} names the model "${name}", which no provider here knows. ` +
        'Check the name, or pass a Model in its place: @agent({ model: new MyModel() }).',
    );
  }
}

/** What stands among an agent's tools is none. */
export class NotAToolError extends AdornError {
  readonly code = 'NOT_A_TOOL';

  constructor(className: string, place: number, fault: string) {
    super(
      `Entry ${String(place)} in the tools of ${className} ${fault}. ` +
        'A tool is a class with @tool methods, a function, an instance of Tool such as a FunctionTool, or a Toolset.',
    );
  }
}

/** What stands where an agent class belongs is none. */
export class NotAnAgentError extends AdornError {
  readonly code = 'NOT_AN_AGENT';

  constructor(found: unknown, place: string) {
    super(
      `${describe(found)} stands in ${place}, and is no agent class. ` +
        'Pass a class that extends LlmAgent or BaseAgent; a class that only has @tool methods belongs under tools.',
    );
  }
}

function describe(found: unknown): string {
  if (typeof found === 'function') return `Class ${found.name === '' ? '(anonymous)' : found.name}`;
  return found === undefined ? 'undefined (is it imported in a circle?)' : `A value of type ${typeof found}`;
}

/** One parent lists a sub-agent twice, so a name would mean both. */
export class SubAgentTwiceError extends AdornError {
  readonly code = 'SUB_AGENT_TWICE';

  constructor(parent: string, child: string) {
    super(
      `${parent} lists ${child} twice among its subAgents. ` +
        'List it once; for two of a kind write a subclass with a name of its own.',
    );
  }
}
