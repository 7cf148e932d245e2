import { functionCallsOf, functionResponsesOf, joinText } from '../events/content-parts.js';
import type { Content, FunctionCall, GenerateContentConfig } from '../events/genai-types.js';
import { type ContentFault, readContent } from '../events/read-content.js';
import { kindOf, isJsonValue } from '@adorn/schema';
import type { EventActions } from '../events/event-actions.js';
import type { Event } from '../events/event.js';
import type { AgentNode } from '../run/agent-node.js';
import type { InvocationContext } from '../run/invocation-context.js';
import type { ModelResponse } from '../models/model-response.js';
import type { CallIds } from './call-ids.js';
import { hasProviderTools, withProviderCalls } from './provider-calls.js';
import type { TurnAgent } from './turn-agent.js';

/** The content of a model's response, as it is stored. */
interface ResponseContent {
  /** Every call has an id. Undefined if nothing is left. */
  readonly content: Content | undefined;
  /** Why the arguments of a call cannot be used, in the order of the calls; undefined for the others. */
  readonly unusable: readonly (string | undefined)[];
  /** True if nothing is left of a response because its values have wrong types; false if the response has an error. */
  readonly isLost: boolean;
}

/** Reads the content of a complete response. Drops the calls of a response with an error. */
export function readResponseContent(
  response: ModelResponse,
  agent: AgentNode,
  context: InvocationContext,
  { ids, config }: { readonly ids: CallIds; readonly config: GenerateContentConfig },
): ResponseContent {
  const { content: given, errorCode } = response;
  const clean = readContent(given);
  const { content: read, unusable, isLost } = clean === given ? whole(clean) : mended(given, agent, context);
  const own = read && (hasProviderTools(config) ? withProviderCalls(read) : read);
  const said = own && withoutResponses(inModelRole(own), agent, context);
  if (errorCode !== undefined) return { content: withoutCalls(said), unusable: NONE, isLost: false };
  return {
    content: said && ids.ofWhole(said),
    unusable: unusable.size === 0 ? NONE : functionCallsOf(said).map(({ args }) => unusable.get(args)),
    isLost: isLost && (said?.parts ?? NONE).length === 0,
  };
}

const NONE: readonly never[] = Object.freeze([]);

interface ReadContent {
  readonly content: Content | undefined;
  /** By the object that replaces the arguments. */
  readonly unusable: ReadonlyMap<object | undefined, string>;
  /** True if values of the wrong type were dropped. */
  readonly isLost: boolean;
}

const NOTHING_UNUSABLE: ReadContent['unusable'] = new Map();

function whole(content: Content | undefined): ReadContent {
  return { content, unusable: NOTHING_UNUSABLE, isLost: false };
}

function mended(given: unknown, agent: AgentNode, context: InvocationContext): ReadContent {
  const faults: ContentFault[] = [];
  const unusable = new Map<object | undefined, string>();
  const content = readContent(given, (fault) => {
    if (fault.field === 'functionCall.args') return argumentsInstead(fault, unusable);
    faults.push(fault);
    return undefined;
  });
  if (faults.length > 0) reportFaults(faults, agent, context);
  return { content, unusable, isLost: faults.length > 0 };
}

function inModelRole(content: Content): Content {
  return content.role === 'model' ? content : { ...content, role: 'model' };
}

function reportFaults(
  faults: readonly ContentFault[],
  { path }: AgentNode,
  { services }: InvocationContext,
): void {
  const fields = faults.slice(0, 10).map(({ field, wanted, found }) => `${field}: ${found}, not ${wanted}`);
  services.logger.warn('a model answered with values of the wrong type; they were dropped', {
    agent: path,
    fields,
  });
}

/** Drops function responses: only tools and users answer calls, models do not. */
function withoutResponses(
  content: Content,
  { name }: AgentNode,
  { services }: InvocationContext,
): Content | undefined {
  const forged = functionResponsesOf(content);
  if (forged.length === 0) return content;
  const responses = forged.map((response) => ({ id: response.id, name: response.name }));
  services.logger.warn('dropped function responses from the answer of a model', { agent: name, responses });
  const parts = content.parts?.filter(({ functionResponse }) => !functionResponse) ?? [];
  return parts.length === 0 ? undefined : { ...content, parts };
}

/** The key of the arguments of a call that could not be read, for the text that the model wrote. Such a call never runs. */
export const UNREADABLE = 'adorn:unreadable';

/** Why the arguments of a call cannot be used, if the call in the log says so. */
export function unreadableFault({ args }: FunctionCall): string | undefined {
  return args && UNREADABLE in args ? 'the arguments must be an object, and could not be read' : undefined;
}

/** Parses arguments that a model wrote as JSON text. Unreadable arguments are reported, so the call does not run. */
function argumentsInstead(
  { wanted, found, value }: ContentFault,
  unusable: Map<object | undefined, string>,
): object {
  const parsed = typeof value === 'string' ? parseObject(value) : undefined;
  if (parsed) return parsed;
  const unread = { [UNREADABLE]: writtenText(value) };
  unusable.set(unread, `the arguments must be ${wanted}, not ${found}`);
  return unread;
}

function writtenText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isJsonValue(value) ? JSON.stringify(value) : kindOf(value);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && isJsonValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutCalls(content: Content | undefined): Content | undefined {
  const parts = content?.parts?.filter(({ functionCall }) => functionCall === undefined) ?? [];
  return parts.length === 0 ? undefined : { ...content, parts };
}

/** The event of a piece of a response, which is yielded and not stored. It has the id of the complete response's event. */
export function pieceToEvent(
  agent: TurnAgent,
  context: InvocationContext,
  id: string,
  content: Content | undefined,
): Event {
  return context.event({ id, author: agent.name, partial: true }, content);
}

/** The facts about a complete response besides the model's response. */
export interface ResponseFacts {
  readonly id: string;
  /** The response's content as read by `readResponseContent`: every call has its id. */
  readonly content: Content | undefined;
  readonly isFinal: boolean;
  readonly longRunningToolIds: readonly string[];
  readonly actions?: Partial<EventActions> | undefined;
  readonly customMetadata?: Readonly<Record<string, unknown>> | undefined;
  /** Why a value does not fit the agent's `outputSchema`; undefined for one that does. Absent if the value was checked already. */
  readonly faultOf?: ((output: unknown) => string | undefined) | undefined;
}

/** The event of a complete response. The last one of a turn writes the state key of the agent's `outputKey`. */
export function responseToEvent(
  agent: TurnAgent,
  context: InvocationContext,
  response: ModelResponse,
  facts: ResponseFacts,
): Event {
  const { finishReason, errorCode, errorMessage, modelVersion } = response;
  const { usageMetadata, groundingMetadata, citationMetadata, urlContextMetadata, cacheMetadata } = response;
  const body = {
    id: facts.id,
    author: agent.name,
    actions: errorCode === undefined ? withOutput(agent, context, facts) : facts.actions,
    longRunningToolIds: facts.longRunningToolIds,
    turnComplete: facts.isFinal,
    finishReason,
    errorCode,
    errorMessage,
    usageMetadata,
    groundingMetadata,
    citationMetadata,
    urlContextMetadata,
    cacheMetadata,
    modelVersion,
    customMetadata: facts.customMetadata,
  };
  return context.event(body, facts.content);
}

/** The actions of a response, with the state key of the agent's `outputKey` if it is the last one of a turn. */
export function withOutput(
  agent: TurnAgent,
  context: InvocationContext,
  facts: Pick<ResponseFacts, 'isFinal' | 'content' | 'actions' | 'faultOf'>,
): Partial<EventActions> | undefined {
  const { outputKey, outputSchema } = agent.turn;
  const isAsked = outputKey !== undefined || outputSchema !== undefined;
  if (!isAsked || !facts.isFinal || !facts.content) return facts.actions;
  const text = joinText(facts.content);
  if (text === '') return facts.actions;
  const output = outputSchema ? parseOutput(text, agent, context, facts) : text;
  if (outputKey === undefined) return facts.actions;
  return { ...facts.actions, stateDelta: { ...facts.actions?.stateDelta, [outputKey]: output } };
}

/** Parses the response. A response that is not JSON, or does not fit the schema, is stored as text. */
function parseOutput(
  text: string,
  agent: TurnAgent,
  { services }: InvocationContext,
  { faultOf }: Pick<ResponseFacts, 'faultOf'>,
): unknown {
  let fault = 'is not JSON, which its outputSchema requires';
  try {
    const output = JSON.parse(text) as unknown;
    if (faultOf?.(output) === undefined) return output;
    fault = 'does not fit its outputSchema';
  } catch {
    // The text is not JSON.
  }
  services.logger.warn(`the answer of agent "${agent.name}" ${fault}; stored as text`);
  return text;
}
