/** What a turn consists of, and the one turn whose arguments must be refused. README.md says what each stands for. */
export const TURN_KINDS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;
export type TurnKind = (typeof TURN_KINDS)[number];
export type ScriptKind = TurnKind | 'BAD';

/** Who asks the model: the agent that was started, the one it handed over to, or those that run as tools below it. */
export type Speaker = 'root' | 'sub' | 'middle' | 'leaf';

/** Kind G: the agent that each agent calls as a tool. */
const AGENT_BELOW: Partial<Record<Speaker, Speaker>> = { root: 'middle', middle: 'leaf' };

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** What the scripted model does next. Every adapter puts it into its framework's own words. */
export type NextAction =
  | { readonly kind: 'text' | 'stream'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: ScriptedCall[] }
  | { readonly kind: 'transfer'; readonly id: string };

export const FINAL_TEXT = 'It is 21 degrees and sunny in Paris today.';
export const USER_TEXT = 'What is the weather in Paris?';
export const PARALLEL_CALLS = 8;
export const CHAINED_CALLS = 20;
export const CHUNK = 'lorem ';
export const CHUNKS = 200;
export const STREAM_TEXT = CHUNK.repeat(CHUNKS);

const ARGUMENTS = { city: 'Paris', units: 'c' };
const BAD_ARGUMENTS = { city: 42, units: 'kelvin' };

/** Set once, before a measurement: texts that differ from turn to turn. */
export const scriptOptions = { distinctTexts: false };

let ids = 0;

/**
 * The model's next action, from the id of the tool result at the end of the request (undefined after a user's
 * message) and nothing else: it costs the same however long the conversation is.
 */
export function nextAction(kind: ScriptKind, lastCallId?: string, speaker: Speaker = 'root'): NextAction {
  const step = stepAfter(lastCallId);
  switch (kind) {
    case 'A':
      return say(FINAL_TEXT);
    case 'B':
      return step < 1 ? ask(step) : say(closing(lastCallId));
    case 'C':
      return step < 1 ? askAtOnce(PARALLEL_CALLS, step) : say(FINAL_TEXT);
    case 'D':
      return step < CHAINED_CALLS ? ask(step) : say(FINAL_TEXT);
    case 'E':
      return { kind: 'stream', text: STREAM_TEXT };
    case 'F':
      return speaker === 'root' && step < 1 ? { kind: 'transfer', id: callId(0) } : say(FINAL_TEXT);
    case 'G':
      return step < 1 ? askAgentBelow(speaker, step) : say(FINAL_TEXT);
    case 'BAD':
      return step < 1 ? ask(step, BAD_ARGUMENTS) : say(FINAL_TEXT);
  }
}

function stepAfter(callId: string | undefined): number {
  return callId === undefined ? 0 : Number(callId.slice(callId.lastIndexOf('_') + 1)) + 1;
}

function say(text: string): NextAction {
  return { kind: 'text', text };
}

function ask(step: number, args: Record<string, unknown> = ARGUMENTS): NextAction {
  return { kind: 'calls', calls: [weatherCall(step, args)] };
}

function askAtOnce(count: number, step: number): NextAction {
  return { kind: 'calls', calls: Array.from({ length: count }, () => weatherCall(step, ARGUMENTS)) };
}

function weatherCall(step: number, args: Record<string, unknown>): ScriptedCall {
  return { id: callId(step), name: 'get_weather', args: { ...args } };
}

function askAgentBelow(speaker: Speaker, step: number): NextAction {
  const name = AGENT_BELOW[speaker];
  if (name === undefined) return say(FINAL_TEXT);
  return { kind: 'calls', calls: [{ id: callId(step), name, args: { request: USER_TEXT } }] };
}

/** The step is part of the id, so that the script needs no memory. */
function callId(step: number): string {
  return `c${(ids++).toString(36)}_${String(step)}`;
}

function closing(lastCallId: string | undefined): string {
  return scriptOptions.distinctTexts ? `${FINAL_TEXT} ${String(lastCallId)}` : FINAL_TEXT;
}
