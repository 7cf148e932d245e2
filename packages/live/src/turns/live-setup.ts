import { AdornError, type Content, type GenerateContentConfig, joinText } from '@adorn/core';
import {
  type LiveModel,
  type LiveSetup,
  NEXT_MESSAGE,
  type OpenTurn,
  schedulingOf,
  type TurnModelRequest,
} from '@adorn/core/backend';
import type { LiveLine } from '../line/live-line.js';
import { STOP_STREAMING } from './live-calls.js';

/**
 * The model of a live session for an agent.
 *
 * @throws {LiveModelMissingError}
 */
export function liveModelOf(
  { name, model }: Pick<OpenTurn['agent'], 'name' | 'model'>,
  line: LiveLine,
): LiveModel {
  const found = line.options.model ?? model.live;
  if (!found) throw new LiveModelMissingError(name, model.name);
  return found;
}

/** An agent of a live session has no live model. Nothing was sent. */
class LiveModelMissingError extends AdornError {
  readonly code = 'LIVE_MODEL_MISSING';

  constructor(agent: string, model: string) {
    super(
      `The agent "${agent}" cannot hold a live conversation: its model "${model}" has no live counterpart. ` +
        'Pass runner.live({ model }), or give the agent a model whose `live` is defined.',
    );
  }
}

/**
 * The setup of a connection, from the request that the agent would send in a text run.
 *
 * @param openCalls ids of calls that have no response yet: they are left out of the history
 */
export function setupOf(
  request: TurnModelRequest,
  line: LiveLine,
  model: LiveModel,
  openCalls: ReadonlySet<string>,
): Omit<LiveSetup, 'resume'> {
  const { voice, language, modality, transcribe, activity } = line.options;
  const { systemInstruction, tools = [], ...config } = request.config;
  const can = model.capabilities.transcribes;
  return {
    instruction: instructionOf(systemInstruction),
    tools: withStop(tools, request.tools),
    backgroundTools: request.tools.names.filter((name) => isBackground(request.tools, name)),
    history: request.contents
      .filter((content) => content !== NEXT_MESSAGE)
      .flatMap((one) => without(one, openCalls)),
    modality,
    voice,
    language,
    transcribe: {
      input: transcribe.input ?? can.includes('input'),
      output: transcribe.output ?? can.includes('output'),
    },
    activity,
    config,
  };
}

function instructionOf(instruction: GenerateContentConfig['systemInstruction']): string {
  if (instruction === undefined || typeof instruction === 'string') return instruction ?? '';
  return joinText(instruction as Content);
}

function isBackground(tools: TurnModelRequest['tools'], name: string): boolean {
  const tool = tools.find(name)?.tool;
  return tool !== undefined && (schedulingOf(tool.traits) !== undefined || tool.takesLiveInput);
}

/** Declares `stop_streaming`, with which the model ends a tool that listens. */
function withStop(declared: LiveSetup['tools'], tools: TurnModelRequest['tools']): LiveSetup['tools'] {
  const listens = tools.names.some((name) => tools.find(name)?.tool.takesLiveInput === true);
  if (!listens || tools.find(STOP_STREAMING)) return declared;
  const declaration = {
    name: STOP_STREAMING,
    description: 'Stops a tool that listens, when its observations are not needed any more.',
    parametersJsonSchema: {
      type: 'object',
      properties: { function_name: { type: 'string', description: 'The name of the tool.' } },
      required: ['function_name'],
    },
  };
  return [...declared, { functionDeclarations: [declaration] }];
}

/** A content without open calls and their interim responses; nothing if nothing is left. */
function without(content: Content, open: ReadonlySet<string>): Content[] {
  if (open.size === 0) return [content];
  const parts = (content.parts ?? []).filter(({ functionCall, functionResponse }) => {
    const id = functionCall?.id ?? functionResponse?.id;
    return id === undefined || !open.has(id);
  });
  return parts.length === 0 ? [] : [{ ...content, parts }];
}
