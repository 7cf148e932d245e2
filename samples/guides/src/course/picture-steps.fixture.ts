import type { Event } from 'adorn';

/** A line of a picture: who says what to whom. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** `stopped`: not let through. `waits`: the run is stored until a person answers. Default: `call`. */
  readonly kind?: 'call' | 'answer' | 'stopped' | 'waits';
}

type Call = Event['functionCalls'][number];
type Response = Event['functionResponses'][number];

/** What a person has answered. */
interface Verdict {
  readonly confirmed?: boolean;
  readonly by?: string;
  readonly reason?: string;
}

/** The call that asks a person, as the ADK names it. */
const CONFIRMATION = 'adk_request_confirmation';

/**
 * What happened in a conversation, by its log.
 *
 * @param events as they are stored, from the first
 * @param person whose conversation it is
 */
export function stepsOf(events: readonly Event[], person: string): Step[] {
  const calls = new Map(
    events.flatMap(({ functionCalls, author }) =>
      functionCalls.map((call) => [call.id, { call, author }] as const),
    ),
  );
  const asked = new Set([...calls.values()].map(({ call }) => askedCall(call)?.id));
  const isLetThrough = new Map(
    events.flatMap((event) =>
      event.functionResponses.map((response) => [response.id, reachedTool(response, event)] as const),
    ),
  );
  const stepOfCall = (call: Call, author: string): Step => {
    const question = questionOf(call);
    if (question !== undefined) return { from: author, to: author, text: question, kind: 'waits' };
    const isStopped = asked.has(call.id) || isLetThrough.get(call.id) === false;
    return { from: author, to: call.name ?? '', text: written(call), kind: isStopped ? 'stopped' : 'call' };
  };
  const stepsOfResponse = (response: Response, event: Event): Step[] => {
    const { id, name = '', willContinue } = response;
    const { call = {}, author = '' } = calls.get(id) ?? {};
    if (name === CONFIRMATION) return [{ ...verdictOf(response, person), to: author }];
    if (willContinue === true) return [];
    if (!reachedTool(response, event))
      return [{ from: author, to: author, text: String(response.response?.['error']), kind: 'answer' }];
    const answer: Step = { from: name, to: author, text: literal(response.response), kind: 'answer' };
    return asked.has(id) ? [{ from: author, to: name, text: written(call) }, answer] : [answer];
  };
  const agent = events.find(({ author }) => author !== 'user')?.author ?? '';
  return events.flatMap((event) => [
    ...stepsOfText(event, person, agent),
    ...event.functionCalls.map((call) => stepOfCall(call, event.author)),
    ...event.functionResponses.flatMap((response) => stepsOfResponse(response, event)),
  ]);
}

/** What is said within a call is its arguments and its result, which are drawn anyway. */
function stepsOfText({ text, author, isolationScope }: Event, person: string, agent: string): Step[] {
  if (text === '' || isolationScope !== undefined) return [];
  if (author === 'user') return [{ from: person, to: agent, text: `“${text}”` }];
  return [{ from: author, to: person, text: `“${text.split('\n').at(-1) ?? ''}”`, kind: 'answer' }];
}

/** The call that a question is about; undefined for other calls. */
function askedCall({ name, args }: Call): Call | undefined {
  return name === CONFIRMATION ? (args?.['originalFunctionCall'] as Call) : undefined;
}

function questionOf({ name, args }: Call): string | undefined {
  return name === CONFIRMATION ? (args?.['toolConfirmation'] as { readonly hint: string }).hint : undefined;
}

function verdictOf({ response = {} }: Response, person: string): Omit<Step, 'to'> {
  const { confirmed, by = person, reason } = response as Verdict;
  const because = reason === undefined ? '' : `: “${reason}”`;
  return { from: by, text: confirmed === true ? 'approves' : `declines${because}` };
}

/** False for the answer to a call that was invalid or declined. */
function reachedTool({ response }: Response, { customMetadata }: Event): boolean {
  const isInvalid = customMetadata?.['adorn:onlyInvalidCalls'] === true;
  return !isInvalid && response?.['error'] !== 'tool call was rejected';
}

function written({ name = '', args = {} }: Call): string {
  return `${name}(${Object.keys(args).length === 0 ? '' : literal(args)})`;
}

/** As in a program: `{ id: "B1" }`. */
function literal(value: unknown): string {
  const lines = JSON.stringify(value, null, 1);
  return lines.replaceAll(/(\n|\\n)\s*/g, ' ').replaceAll(/"([a-z_]\w*)": /gi, '$1: ');
}
