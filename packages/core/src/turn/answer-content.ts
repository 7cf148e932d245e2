import { functionCallsOf, functionResponsesOf } from '../content/content-parts.js';
import type { Content } from '../content/genai-types.js';
import { type ContentFault, readContent } from '../content/read-content.js';
import type { AgentNode } from '../invocation/agent-node.js';
import type { InvocationContext } from '../invocation/invocation-context.js';
import { isJsonValue } from '../json/json-value.js';
import type { ModelResponse } from '../models/model-response.js';
import type { CallIds } from './call-ids.js';

/** What a model said, as it is stored. */
export interface AnswerContent {
  /** Every call has an id; undefined where nothing is left. */
  readonly content: Content | undefined;
  /** Why the arguments of a call cannot be used, in the order of the calls; undefined for the others. */
  readonly unusable: readonly (string | undefined)[];
  /** True if nothing is left of an answer because of the kinds of its values; false where it came with an error. */
  readonly isLost: boolean;
}

/** Reads the content of a whole answer. An answer that may not be used makes no calls. */
export function readAnswerContent(
  response: ModelResponse,
  agent: AgentNode,
  context: InvocationContext,
  ids: CallIds,
): AnswerContent {
  const { content: given, errorCode } = response;
  const clean = readContent(given);
  const { content: read, unusable, isLost } = clean === given ? whole(clean) : mended(given, agent, context);
  const said = read && withoutResponses(inModelRole(read), agent, context);
  if (errorCode !== undefined) return { content: withoutCalls(said), unusable: NONE, isLost: false };
  return {
    content: said && ids.ofWhole(said),
    unusable: unusable.size === 0 ? NONE : functionCallsOf(said).map(({ args }) => unusable.get(args)),
    isLost: isLost && (said?.parts ?? NONE).length === 0,
  };
}

const NONE: readonly never[] = Object.freeze([]);

interface ReadAnswer {
  readonly content: Content | undefined;
  /** By the object that stands for the arguments. */
  readonly unusable: ReadonlyMap<object | undefined, string>;
  /** True if values of the wrong kind were left out. */
  readonly isLost: boolean;
}

const NOTHING_UNUSABLE: ReadAnswer['unusable'] = new Map();

function whole(content: Content | undefined): ReadAnswer {
  return { content, unusable: NOTHING_UNUSABLE, isLost: false };
}

function mended(given: unknown, agent: AgentNode, context: InvocationContext): ReadAnswer {
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
  services.logger.warn('a model answered with values of the wrong kind; they were left out', {
    agent: path,
    fields,
  });
}

/** A model answers for nobody: function responses in its answer are dropped. */
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

/** Some models write the arguments as a text of JSON. A call is never run with arguments that it was not given. */
function argumentsInstead(
  { wanted, found, value }: ContentFault,
  unusable: Map<object | undefined, string>,
): object {
  const parsed = typeof value === 'string' ? parseObject(value) : undefined;
  if (parsed !== undefined) return parsed;
  const none = {};
  unusable.set(none, `the arguments must be ${wanted}, not ${found}`);
  return none;
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
