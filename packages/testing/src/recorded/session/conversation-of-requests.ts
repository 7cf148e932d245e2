import { canonicalJson, isObject } from '@adorn/core/backend';
import type { Content, Part } from '@adorn/core';

import type { Exchange } from '../cassette.js';
import type { Conversation, HeldCall } from './conversation.js';

/** Whose conversation it is, where no cassette says. */
const ADDRESS = { userId: 'user', sessionId: 'replayed' };

/**
 * The conversation of exchanges that a test has recorded: what is in the requests that no model has said. What a person was
 * asked is not in them: `asked` is absent.
 *
 * @param refuse makes the error for exchanges whose messages cannot be told
 */
export function conversationOfRequests(
  exchanges: readonly Exchange[],
  refuse: (fault: string) => Error,
): Conversation {
  const messages: Content[] = [];
  const asked = exchanges.map(contentsOf);
  for (const [place, contents] of asked.entries()) {
    const said = contents.filter(isOfUser);
    if (isRunOf(said, messages) || isInputOfTool(said, exchanges.slice(0, place))) continue;
    if (!beginsWith(said, messages))
      throw refuse(`exchange ${String(place)} begins another conversation than those before it`);
    if (said.length > messages.length + 1)
      throw refuse(`exchange ${String(place)} has messages whose answers are not recorded`);
    if (said.some(hasFile))
      throw refuse(`exchange ${String(place)} has a file, of which only the digest is recorded`);
    messages.push(...said.slice(messages.length));
  }
  if (messages.length === 0) throw refuse('it has no message of a user');
  const calls = exchanges.flatMap((exchange, place) => callsOf(exchange, asked.slice(place + 1)));
  return { ...ADDRESS, messages: messages.map((content) => ({ content })), calls };
}

function contentsOf({ request: { contents } }: Exchange): readonly Content[] {
  return Array.isArray(contents) ? (contents as readonly Content[]) : [];
}

/** True for a message: not for the response of a tool, and not for what another agent has said. */
function isOfUser({ role, parts = [] }: Content): boolean {
  if (role !== 'user' || parts.some(({ functionResponse }) => functionResponse)) return false;
  return !(parts.length > 1 && parts[0]?.text === 'For context:');
}

function hasFile({ parts = [] }: Content): boolean {
  return parts.some(({ inlineData }) => inlineData);
}

/** True if some messages follow one another in others. */
function isRunOf(some: readonly Content[], others: readonly Content[]): boolean {
  const [begins, all] = [some, others].map((list) => list.map((one) => canonicalJson(one)));
  return (all ?? []).some((_, at) => (begins ?? []).every((one, index) => one === all?.[at + index]));
}

/** True for what a model has passed to an agent that it called as a tool. */
function isInputOfTool([first]: readonly Content[], before: readonly Exchange[]): boolean {
  const given = first?.parts?.map(({ text = '' }) => text).join('') ?? '';
  const isGiven = (args: object): boolean =>
    canonicalJson(args) === given || Object.values(args).includes(given) || isSameJson(given, args);
  return before.some((exchange) =>
    callPartsOf(exchange).some(({ functionCall }) => isGiven(functionCall?.args ?? {})),
  );
}

function isSameJson(text: string, value: object): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}

/** The calls of an answer, with what a later request of the same agent says of them. */
function callsOf(exchange: Exchange, later: readonly (readonly Content[])[]): HeldCall[] {
  const before = contentsOf(exchange);
  const next = later.find((contents) => contents.length > before.length + 1 && beginsWith(contents, before));
  const responses = next?.[before.length + 1]?.parts ?? [];
  return callPartsOf(exchange).map(({ functionCall }, place) => {
    const response = responses[place]?.functionResponse?.response;
    return {
      tool: functionCall?.name ?? '',
      args: functionCall?.args ?? {},
      ...(isObject(response) && { response }),
      ...(functionCall?.name === 'transfer_to_agent' && { steers: true }),
    };
  });
}

function beginsWith(contents: readonly Content[], before: readonly Content[]): boolean {
  return before.every((content, place) => canonicalJson(content) === canonicalJson(contents[place]));
}

function callPartsOf({ answer }: Exchange): readonly Part[] {
  const whole = answer.findLast(({ response }) => response.partial !== true)?.response;
  return (whole?.content?.parts ?? []).filter(({ functionCall }) => functionCall);
}
