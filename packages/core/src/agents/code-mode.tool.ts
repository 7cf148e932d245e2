import type { CodeExecutor } from '../code-execution/code-executor.js';
import type { ScriptPlace } from '../code-execution/script.js';
import type { FunctionDeclaration } from '../content/genai-types.js';
import type { AgentNode } from '../invocation/agent-node.js';
import { type AgentResult, failureText } from '../invocation/agent-result.js';
import { shareClass } from '../metadata/shared-class.js';
import { functionDeclaration, functionNames } from '../schema/function-declarations.js';
import { optionNames, unknownOption } from '../schema/nearest-names.js';
import { ToolConfigInvalidError } from '../tools/errors.js';
import type { Tool } from '../tools/tool.js';
import { ScriptCalls } from '../turn/script-calls.js';
import { defineAgent, type ToolSource } from './agent.decorator.js';
import type { LlmAgentNode } from './agent-nodes.js';
import { AgentTool, AgentToolSource } from './agent.tool.js';
import { noteDerivedName } from './workflow/workflow.agent.js';

/** The name that the model calls, unless the options say another. */
const RUN_SCRIPT = 'run_script';

/** The most calls of one script, by default. */
const DEFAULT_CALLS = 200;

/** The options of `codeMode`. */
export interface CodeModeOptions {
  /** The tools that scripts call as functions: the same sources as in `@agent`, agents included. */
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
 * The response is `{ outcome, output, result? }`, as that of `runCode`. The time limit is that of the executor, without the
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
  if (unknown !== undefined) throw new ToolConfigInvalidError(name, unknown.fault, unknown.cure);
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
    if (agent.toolsets.length > 0)
      throw new ToolConfigInvalidError(
        name,
        'a toolset is among its tools, and the functions of scripts are declared before toolsets are listed',
        'List the tools themselves, or give the toolset to the agent.',
      );
    const functions = functionNames(agent.tools.names);
    agent.callSource = new ScriptCalls({ executor, functions, maxCalls });
    return new CodeModeTool(agent, own, { executor, functions });
  }
}

/** What a script has. */
type ScriptWorld = Pick<ScriptPlace, 'executor' | 'functions'>;

/** Runs the scripts of a model. */
class CodeModeTool extends AgentTool {
  static {
    shareClass(this, 'CodeModeTool');
  }

  private readonly declared: FunctionDeclaration;

  constructor(
    agent: LlmAgentNode,
    { name, description, confirm = false }: CompleteOptions,
    private readonly world: ScriptWorld,
  ) {
    const said = `${description ?? descriptionOf(world.executor)}\n\n${declarationsOf(agent, world)}`;
    super(agent, { name, description: said, confirm });
    this.declared = {
      name,
      description: said,
      parametersJsonSchema: {
        type: 'object',
        properties: { code: { type: 'string', description: 'The whole script, in JavaScript.' } },
        required: ['code'],
        additionalProperties: false,
      },
    };
  }

  override async ready(): Promise<void> {
    await this.world.executor.ready();
  }

  override declaration(): FunctionDeclaration {
    return this.declared;
  }

  protected override requestIn({ code }: Readonly<Record<string, unknown>>): string {
    return String(code);
  }

  protected override responseTo(result: AgentResult<unknown>): unknown {
    const error = failureText(result);
    if (error !== undefined) return { error };
    const text = result.texts.at(-1);
    if (text !== undefined) return JSON.parse(text) as unknown;
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

function declarationsOf({ tools }: LlmAgentNode, { functions }: ScriptWorld): string {
  const declared = [...functions].map(([name, tool]) => {
    const declaration = tools.find(tool)?.tool.declaration() ?? {};
    return functionDeclaration(name, declaration);
  });
  return declared.join('\n\n');
}
