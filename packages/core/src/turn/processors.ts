import { joinText } from '../events/content-parts.js';
import type { Content, FunctionDeclaration, GenerateContentConfig } from '../events/genai-types.js';
import type { AgentNode } from '../run/agent-node.js';
import { ReadonlyContext } from '../run/callback-context.js';
import type { InvocationContext } from '../run/invocation-context.js';
import { frozenJson } from '@adorn/schema';
import { sizeOfContent } from '../log/content-size.js';
import { History } from '../log/history/history.js';
import { ProviderTool } from '../tools/builtin/provider.tools.js';
import { TRANSFER_TO_AGENT } from '../tools/builtin/control-flow.tools.js';
import { readResult } from '../tools/builtin/read-result.tool.js';
import type { Tool } from '../tools/tool.js';
import { isLongRunning, schedulingOf } from '../tools/tool-traits.js';
import { openedTools } from '../tools/toolsets/opened-tools.js';
import { beginningOf, compileTemplate } from './instruction-template.js';
import type { ChangingFragment, ModelRequestProcessor, TurnModelRequest } from './model-request.js';
import { canTransfer, transferTargets } from './resolve-transfers.js';
import { showMedia } from './shown-media.js';
import { givesOutputByTool, SET_MODEL_RESPONSE } from './structured-output.js';
import type { Instruction, TurnAgent } from './turn-agent.js';

/** Adds the settings of the model: temperature, safety, thinking, … */
const basicsProcessor: ModelRequestProcessor = (agent, draft) => {
  draft.config = { ...agent.turn.generateContentConfig };
};

/** Adds the agent's name and description, because other agents may take part in the conversation. */
const identityProcessor: ModelRequestProcessor = ({ name, description }, draft) => {
  draft.fragments.push(
    `Your name is "${name}".${description === '' ? '' : ` Your task, as others know it: ${description}`}`,
  );
};

/** Adds the instructions: static, then global, then the agent's own. */
const instructionsProcessor: ModelRequestProcessor = (agent, draft) => {
  const { globalInstruction, instruction, staticInstruction } = agent.turn;
  if (globalInstruction !== undefined) draft.fragments.push(toFragment(globalInstruction, agent));
  if (staticInstruction === undefined) {
    if (instruction !== undefined) draft.fragments.push(toFragment(instruction, agent));
    return;
  }
  draft.fragments.unshift(
    typeof staticInstruction === 'string' ? staticInstruction : joinText(staticInstruction),
  );
  if (instruction === undefined) return;
  const fragment = toFragment(instruction, agent);
  draft.steps.push(async (request) => {
    request.append(await asUserContent(fragment, request.context));
  });
};

function toFragment(instruction: Instruction, agent: TurnAgent): string | ChangingFragment {
  if (typeof instruction === 'function') {
    return {
      beginning: beginningOf(instruction),
      places: ['a function'],
      fill: async (context) => instruction(new ReadonlyContext(context, agent)),
    };
  }
  const { constant, beginning, places, fill } = compileTemplate(instruction);
  return constant ?? { beginning, places, fill: (context) => fill(new ReadonlyContext(context, agent)) };
}

async function asUserContent(
  fragment: string | ChangingFragment,
  context: InvocationContext,
): Promise<Content> {
  return {
    role: 'user',
    parts: [{ text: typeof fragment === 'string' ? fragment : await fragment.fill(context) }],
  };
}

/** Adds the conversation. */
const historyProcessor: ModelRequestProcessor = (agent, draft) => {
  const onlyThisTurn = agent.turn.includeContents === 'none';
  draft.steps.unshift(async (request) => {
    const { session, branch, toolRun, invocation } = request.context;
    const history = History.of(session, agent, { branch, scope: toolRun?.scope });
    request.contents = onlyThisTurn ? history.currentTurn() : history.contents;
    const turn = onlyThisTurn ? request.contents : undefined;
    request.stored = request.contents;
    request.lacksResults = history.lacksResults;
    request.sizeOfConversation = () => (turn ? sizeOfContents(turn) : history.size);
    const last = request.contents.at(-1);
    if (!last || last.role === 'model') {
      const isSpoken = invocation.live !== undefined;
      // The turn that the history ends with is over.
      if (isSpoken && onlyThisTurn) request.contents = [];
      request.append(isSpoken ? NEXT_MESSAGE : GO_ON);
    }
    request.conversation = request.contents;
  });
};

function sizeOfContents(contents: readonly Content[]): number {
  return contents.reduce((sum, content) => sum + sizeOfContent(content), 0);
}

/**
 * Stands, in the request with which a live connection begins, for the message that the user speaks next. It is not sent; this
 * very object is frozen, so that plugins recognise it.
 */
export const NEXT_MESSAGE: Content = frozenJson({
  role: 'user',
  parts: [{ text: '(The user speaks next.)' }],
});

/** Appended to a conversation that ends with a content of the model, because models answer only a user's content. */
const GO_ON: Content = frozenJson({
  role: 'user',
  parts: [{ text: 'Continue with the previous request. If nothing is left to do, say what was done.' }],
});

/** A call that is forced is forced once: after the first result of a turn the model may answer. */
const toolChoiceProcessor: ModelRequestProcessor = (agent, draft) => {
  const { toolConfig } = agent.turn.generateContentConfig ?? {};
  const { functionCallingConfig: forced, ...others } = toolConfig ?? {};
  if ((forced?.mode as string | undefined) !== 'ANY') return;
  draft.steps.push(async (request) => {
    if (!hasResult(request.contents)) return;
    const { toolConfig: _forced, ...config } = request.config;
    request.config = Object.keys(others).length > 0 ? { ...config, toolConfig: others } : config;
  });
};

/** True if the user has said nothing after the last result of the agent's calls. */
function hasResult(contents: readonly Content[]): boolean {
  const last = contents.findLast(({ role }) => role !== 'model');
  return last?.parts?.some(({ functionResponse }) => functionResponse !== undefined) === true;
}

/** Adds the output schema: as the model's response schema, or as the tool `set_model_response`. */
const outputSchemaProcessor: ModelRequestProcessor = (agent, draft) => {
  const { outputSchema } = agent.turn;
  if (!outputSchema) return;
  if (givesOutputByTool(agent)) {
    draft.fragments.push(`Give the final answer only by calling ${SET_MODEL_RESPONSE}.`);
  } else {
    draft.config = {
      ...draft.config,
      responseMimeType: 'application/json',
      responseJsonSchema: outputSchema,
    };
  }
};

/** Adds the declarations of the tools, in one entry, and the changes that tools make to a request themselves. */
const toolsProcessor: ModelRequestProcessor = (agent, draft) => {
  const { tools } = agent.tools;
  draft.config = withDeclarations(draft.config, tools);
  if (agent.toolsets.length > 0) draft.steps.push((request) => addToolsets(request, agent));
  if (agent.boxes.length > 0) draft.steps.push((request) => addOpenedTools(request, agent));
  draft.steps.push(async (request) => addReader(request));
  for (const tool of tools) {
    if (!tool.processRequest) continue;
    draft.steps.push(async (request) =>
      tool.processRequest?.(request, new ReadonlyContext(request.context, agent)),
    );
  }
};

/** Appends the opened tools last, so that the provider's cache of the request stays valid. */
async function addOpenedTools(request: TurnModelRequest, agent: TurnAgent): Promise<void> {
  const opened = openedTools(agent.boxes, request.tools, request.context);
  request.config = withDeclarations(request.config, opened);
  const context = new ReadonlyContext(request.context, agent);
  for (const tool of opened) await tool.processRequest?.(request, context);
}

/** Appends the tool that reads results, once the conversation shows some cut or in a summary. */
function addReader(request: TurnModelRequest): void {
  if (request.lacksResults && request.tools.offersReader)
    request.config = withDeclarations(request.config, READER);
}

const READER: readonly Tool[] = Object.freeze([readResult()]);

async function addToolsets(request: TurnModelRequest, agent: TurnAgent): Promise<void> {
  const { listing } = request;
  if (!listing) return;
  request.config = withDeclarations(request.config, listing.listed);
  const context = new ReadonlyContext(request.context, agent);
  for (const tool of listing.listed) await tool.processRequest?.(request, context);
}

/** Adds the agents that this one may transfer to. The tool `transfer_to_agent` is one of the agent's tools. */
const transferProcessor: ModelRequestProcessor = (agent, draft) => {
  if (!canTransfer(agent)) return;
  draft.fragments.push({
    create: () =>
      `You can transfer the conversation to one of these agents:\n${roster(agent)}\n` +
      `If one of them is better suited to answer, call ${TRANSFER_TO_AGENT} with its name and say nothing else. ` +
      'Otherwise answer yourself.',
  });
};

/** Of many siblings, each has all others in its roster: only those that run create one. */
function roster(agent: TurnAgent): string {
  return transferTargets(agent).map(rosterLine).join('\n');
}

function rosterLine({ name, description, transfer }: AgentNode): string {
  const task = description === '' ? 'no description' : description;
  return `- ${name}: ${task}${transfer.isCalled ? ' (returns the conversation to you when it is done)' : ''}`;
}

/** Shows images, audio and PDF of results, behind all else. */
const mediaProcessor: ModelRequestProcessor = ({ tools, toolsets }, draft) => {
  if (tools.callable.length > 0 || toolsets.length > 0) draft.steps.push(showMedia);
};

/** The processors of a request. This list alone decides their order. */
export const PROCESSORS: readonly ModelRequestProcessor[] = [
  basicsProcessor,
  instructionsProcessor,
  identityProcessor,
  outputSchemaProcessor,
  historyProcessor,
  toolChoiceProcessor,
  toolsProcessor,
  mediaProcessor,
  transferProcessor,
];

/**
 * Appends the declarations of tools to a config, and the entries of provider tools unless the config has an entry of the
 * same kind. The same list of tools added to the same `tools` of a config returns the same object, so that requests do
 * not create the declarations again.
 */
function withDeclarations(config: GenerateContentConfig, tools: readonly Tool[]): GenerateContentConfig {
  if (tools.length === 0) return config;
  const before = config.tools;
  let known = extensions.get(tools);
  if (!known || known.before !== before) {
    known = { before, after: extended(before, tools) };
    extensions.set(tools, known);
  }
  return known.after === before ? config : { ...config, tools: known.after };
}

type ConfigTools = GenerateContentConfig['tools'];

/** The tools of a config before and after a list of tools was added. */
interface Extension {
  readonly before: ConfigTools;
  readonly after: ConfigTools;
}

const extensions = new WeakMap<readonly Tool[], Extension>();

function extended(before: ConfigTools, tools: readonly Tool[]): ConfigTools {
  const present = before ?? [];
  const kinds = new Set(present.flatMap((entry) => Object.keys(entry)));
  const declared = tools.map(declarationOf).filter((declaration) => declaration !== undefined);
  const provided = tools
    .filter((tool): tool is ProviderTool => tool instanceof ProviderTool)
    .filter(({ kind }) => !kinds.has(kind));
  if (declared.length + provided.length === 0) return before;
  const earlier = present.filter(hasDeclarations).flatMap((entry) => entry.functionDeclarations);
  const functionDeclarations = [...earlier, ...declared];
  // All requests of the agent share them, and callbacks get them.
  return frozenJson([
    ...(functionDeclarations.length > 0 ? [{ functionDeclarations }] : []),
    ...present.filter((entry) => !hasDeclarations(entry)),
    ...provided.map(({ entry }) => entry),
  ]);
}

const STILL_PENDING =
  'NOTE: This is a long-running operation. Do not call this tool again if it has already returned some ' +
  'intermediate or pending status.';

const IN_BACKGROUND =
  'NOTE: This runs in the background. It answers with the status "running" at once, and its result replaces that ' +
  'answer later. Do not call this tool again for the same result meanwhile.';

/** Adds a note to tools whose results come later: a model that gets no result at once tends to repeat the call. */
function declarationOf(tool: Tool): FunctionDeclaration | undefined {
  const declaration = tool.declaration();
  const note = isLongRunning(tool.traits) ? STILL_PENDING : schedulingOf(tool.traits) && IN_BACKGROUND;
  if (!declaration || note === undefined) return declaration;
  const { description = '' } = declaration;
  return { ...declaration, description: description === '' ? note : `${description}\n${note}` };
}

function hasDeclarations(entry: object): entry is { functionDeclarations: FunctionDeclaration[] } {
  return 'functionDeclarations' in entry && Array.isArray(entry.functionDeclarations);
}
