import type { Message, Part } from '@a2a-js/sdk';

import { isPlainJsonObject } from './json-object.js';
import { dataPart } from './parts.js';

/** A call in a message of Google's ADK. In a status that waits for input, it is what a person has to answer. */
export interface AdkCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The answer of a person in a message of Google's ADK. */
export interface AdkAnswer {
  /** The id of the call that it answers. */
  readonly id: string;
  readonly response: Readonly<Record<string, unknown>>;
}

/** The key of a part's metadata for the kind of its data, as Google's ADK writes it. */
const TYPE = 'adk_type';
const IS_LONG_RUNNING = 'adk_is_long_running';
const IS_THOUGHT = 'adk_thought';

const INTERNAL: ReadonlySet<unknown> = new Set([
  'function_call',
  'function_response',
  'executable_code',
  'code_execution_result',
]);

/** True for the calls, responses and code of an ADK's agent: its steps, not its answer. */
export function isAdkStep({ content, metadata }: Part): boolean {
  return content?.$case === 'data' && INTERNAL.has(metadata?.[TYPE]);
}

/** True for a thought of an ADK's agent. */
export function isAdkThought({ metadata }: Part): boolean {
  return metadata?.[IS_THOUGHT] === true;
}

/** The calls in a message that an ADK waits with. */
export function adkCallsIn(message: Message | undefined): AdkCall[] {
  return (message?.parts ?? []).flatMap((part) => {
    const data = dataOfType(part, 'function_call');
    const { id, name, args } = data ?? {};
    if (typeof id !== 'string' || id === '') return [];
    return [{ id, name: typeof name === 'string' ? name : '', args: isPlainJsonObject(args) ? args : {} }];
  });
}

/** The first answer of a person in a message. */
export function adkAnswerIn(message: Message | undefined): AdkAnswer | undefined {
  for (const part of message?.parts ?? []) {
    const { id, response } = dataOfType(part, 'function_response') ?? {};
    if (typeof id === 'string') return { id, response: isPlainJsonObject(response) ? response : {} };
  }
  return undefined;
}

/** A call that waits for a person, as an ADK's client reads it. */
export function adkCallPart({ id, name, args }: AdkCall): Part {
  const metadata = { [TYPE]: 'function_call', [IS_LONG_RUNNING]: true };
  return { ...dataPart({ id, name, args }), metadata };
}

/** The answer to a call, as an ADK's server takes it. */
export function adkAnswerPart({ id, name }: AdkCall, response: Readonly<Record<string, unknown>>): Part {
  return { ...dataPart({ id, name, response }), metadata: { [TYPE]: 'function_response' } };
}

function dataOfType(
  { content, metadata }: Part,
  type: string,
): Readonly<Record<string, unknown>> | undefined {
  if (content?.$case !== 'data' || metadata?.[TYPE] !== type) return undefined;
  const value: unknown = content.value;
  return isPlainJsonObject(value) ? value : undefined;
}
