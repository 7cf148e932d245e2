import {
  type AgentResult,
  defineAgent,
  type GenerateContentConfig,
  type ModelRequest,
  type Tool,
  type ToolContext,
} from '@adorn/core';
import {
  type AgentNode,
  AgentTool,
  AgentToolSource,
  type CodeExecutor,
  failureText,
  type FunctionDeclaration,
  type LlmAgentNode,
  noteDerivedName,
  optionNames,
  ToolConfigInvalidError,
  type ToolSource,
  TurnModelRequest,
  unknownOption,
} from '@adorn/core/backend';
import { functionDeclaration, functionNames } from './function-declarations.js';
import { type CodeResponse, DEFAULT_OUTPUT, mostResponseBytes, withReadableValue } from './code-response.js';
import { ScriptCalls } from './script-calls.js';

/** The name that the model calls, unless the options say another. */
const RUN_SCRIPT = 'run_script';

/** The most calls of one script, by default. */
const DEFAULT_CALLS = 200;

const MAX_BYTES = mostResponseBytes(DEFAULT_OUTPUT);

/** The options of `codeMode`. */
export interface CodeModeOptions {
  /** The tools that scripts call as functions: the same sources as in `@agent`, with agents and toolsets, without toolboxes that unfold and `searchable`. */
  readonly tools: readonly ToolSource[];
  /** The name that the model calls. Default: `run_script`. */
  readonly name?: string;
  /** Said to the model before the declarations of the functions. Default: how to write a script. */
  readonly description?: string;
  /** Asks a person before each script; a text is the hint. The calls of a script ask for themselves. Default: false. */
  readonly confirm?: boolean | string;
  /** The most calls of one script; one that makes more is stopped. Default: 200. */
  readonly maxCalls?: number;
}

const OPTIONS = optionNames<CodeModeOptions>({
  tools: true,
  name: true,
  description: true,
  confirm: true,
  maxCalls: true,
});

/**
 * Offers tools as functions of a script, which the model writes: one script replaces many turns. The model gets one tool,
 * whose description declares the functions in TypeScript.
 *
 * Each call of a script is a call like one of a model: it is stored before it runs, and passes the same gates. Calls that the
 * script makes together (`Promise.all`) run side by side. An error or a refusal is an exception in the script. A call that a
 * person has to confirm pauses the script, also for days and into another process: the script is then run again from its start
 * with the recorded results, and no recorded call is made again. If it makes another call than the recorded one, the model is
 * told so (`SCRIPT_CHANGED`).
 *
 * The response is `{ outcome, output, result?, note? }`, as that of `runCode`. The time limit is that of the executor, without the
 * time of the calls.
 *
 * @param executor one that runs JavaScript and has `callsFunctions`, such as `quickJs()`
 * @throws {ToolConfigInvalidError}
 * @example
 * @agent({ model, tools: [codeMode(quickJs(), { tools: [Orders, Refunds] })] })
 * class Support extends LlmAgent {}
 */
export function codeMode(executor: CodeExecutor, options: CodeModeOptions): AgentToolSource {
  const { name = RUN_SCRIPT, maxCalls = DEFAULT_CALLS } = options;
  const unknown = unknownOption(options, OPTIONS);
  if (unknown) throw new ToolConfigInvalidError(name, unknown.fault, unknown.cure);
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new ToolConfigInvalidError(name, `maxCalls is ${String(maxCalls)}`, 'Pass a whole number from 1.');
  if (!executor.callsFunctions || !executor.languages.includes('javascript'))
    throw new ToolConfigInvalidError(
      name,
      'scripts cannot call functions in this executor',
      'Pass one that runs JavaScript and has callsFunctions, such as quickJs() of @adorn/sandbox.',
    );
  return new CodeModeSource(executor, { ...options, name, maxCalls });
}

type CompleteOptions = CodeModeOptions & Required<Pick<CodeModeOptions, 'name' | 'maxCalls'>>;

/** The tools of scripts, as an agent of their own whose calls come from the scripts. */
class CodeModeSource extends AgentToolSource {
  constructor(
    private readonly executor: CodeExecutor,
    private readonly own: CompleteOptions,
  ) {
    const { name, tools, confirm = false } = own;
    const target = defineAgent({ name, tools: [...tools], description: 'Runs scripts.' });
    noteDerivedName(target);
    super(target, { name, confirm });
  }

  override toolOf(node: AgentNode): Tool {
    const { executor, own } = this;
    const agent = node as LlmAgentNode;
    const { name, maxCalls } = own;
    if (agent.boxes.length > 0)
      throw new ToolConfigInvalidError(
        name,
        'a toolbox that unfolds, or searchable, is among its tools, and scripts have all their functions from the start',
        'Pass a class without `unfold`, and sources without `searchable`.',
      );
    agent.callSource = new ScriptCalls({ executor, maxCalls });
    return new CodeModeTool(agent, own, executor);
  }
}

/** Runs the scripts of a model. */
class CodeModeTool extends AgentTool {
  private readonly declarations = new WeakMap<TurnModelRequest['tools'], FunctionDeclaration>();

  constructor(
    private readonly node: LlmAgentNode,
    { name, description, confirm = false }: CompleteOptions,
    private readonly executor: CodeExecutor,
  ) {
    super(node, { name, description: description ?? descriptionOf(executor), confirm }, MAX_BYTES);
  }

  override async ready(): Promise<void> {
    await this.executor.ready();
  }

  /** Without the functions of toolsets, which are listed for each request. */
  override declaration(): FunctionDeclaration {
    return this.declarationOf(this.node.tools);
  }

  /** Declares the functions of toolsets, too. */
  async processRequest(request: ModelRequest): Promise<void> {
    const { node, name } = this;
    if (node.toolsets.length === 0 || !(request instanceof TurnModelRequest)) return;
    const { tools, locked } = await node.listTools(request.context);
    const declared = this.declarationOf(tools);
    const description = (declared.description ?? '') + noteOn(locked);
    request.config = withDeclaration(request.config, { ...declared, name, description });
  }

  private declarationOf(tools: TurnModelRequest['tools']): FunctionDeclaration {
    const known = this.declarations.get(tools);
    if (known) return known;
    const functions = [...functionNames(tools.names)].map(([name, tool]) =>
      functionDeclaration(name, tools.find(tool)?.tool.declaration() ?? {}),
    );
    const declaration: FunctionDeclaration = {
      name: this.name,
      description: [this.description, ...functions].join('\n\n'),
      parametersJsonSchema: {
        type: 'object',
        properties: { code: { type: 'string', description: 'The whole script, in JavaScript.' } },
        required: ['code'],
        additionalProperties: false,
      },
    };
    this.declarations.set(tools, declaration);
    return declaration;
  }

  protected override requestIn({ code }: Readonly<Record<string, unknown>>): string {
    return String(code);
  }

  protected override async responseTo(result: AgentResult<unknown>, context: ToolContext): Promise<unknown> {
    const error = failureText(result);
    if (error !== undefined) return { error };
    const text = result.texts.at(-1);
    if (text !== undefined) return withReadableValue(JSON.parse(text) as CodeResponse, context);
    return { outcome: 'OUTCOME_FAILED', output: 'One of the tools has ended the script.\n' };
  }
}

function descriptionOf({ environment }: CodeExecutor): string {
  return (
    'Run a script in JavaScript that calls the functions below. Write one script for the whole task: use loops, conditions and ' +
    'Promise.all, and return only what you need to know. Await each call; a failed or refused call throws an Error. Do not ' +
    `catch it unless you handle it. ${environment} Without the time and random numbers the script can be continued after a pause.`
  );
}

/** A script asks for what toolsets need before it runs. */
function noteOn(locked: readonly string[]): string {
  if (locked.length === 0) return '';
  return `\n\nThe functions of ${locked.join(', ')} are known once the user has given access. Run an empty script to ask for it.`;
}

/** The config with another declaration in the place of the one with its name. */
function withDeclaration(
  config: GenerateContentConfig,
  declaration: FunctionDeclaration,
): GenerateContentConfig {
  const tools = config.tools?.map((entry) => {
    if (!('functionDeclarations' in entry) || !entry.functionDeclarations) return entry;
    const declared = entry.functionDeclarations;
    const functionDeclarations = declared.map((one) => (one.name === declaration.name ? declaration : one));
    return { ...entry, functionDeclarations };
  });
  return { ...config, tools };
}
