import { type ConversationPlan, planOf, sizeOf } from './long-conversation.js';

/** A request for a chat completion, as far as the models look at it. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
  /** The JSON of both. */
  readonly text: string;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** What a model does. */
export type ChatStep =
  | { readonly says: string }
  | { readonly calls: readonly object[]; readonly name: string }
  | { readonly tokens: number; readonly window: number };

/** What a step says if it is no refusal, and how many tokens the request had. */
export type ChatModel = (request: ChatRequest) => ChatStep;

/** Asks for the charge of the invoice that the message names, once in each turn. */
export const chargingModel: ChatModel = ({ messages }) => {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { says: 'It is charged.' };
  const [invoice = 'none'] = /I-\d+/.exec(textOf(last)) ?? [];
  return { name: 'charge', calls: [{ invoice }] };
};

/** How a model of long conversations was asked. */
export interface Asked {
  requests: number;
  refused: number;
}

/** Looks as often, and at as much, as the number of the conversation decides, and refuses what is above its window. */
export function lookingModel(asked: Asked): ChatModel {
  const plans = new Map<number, ConversationPlan>();
  return ({ messages, tools, text }) => {
    const no = Number([...text.matchAll(/#(\d+)\./g)].at(-1)?.[1] ?? 0);
    const plan = plans.get(no) ?? planOf(no);
    plans.set(no, plan);
    asked.requests += 1;
    const tokens = Math.ceil(Buffer.byteLength(text) / plan.bytesPerToken);
    if (tokens > plan.window) {
      asked.refused += 1;
      return { tokens, window: plan.window };
    }
    return nextStep(plan, messages, tools);
  };
}

function nextStep({ random }: ConversationPlan, messages: readonly ChatMessage[], tools: readonly string[]) {
  const isSummary = !tools.includes('look') || /summar/i.test(textOf(messages.at(-1)).slice(0, 2_000));
  if (isSummary || random() < 0.35) return { says: 'Done.' };
  const count = random() < 0.3 ? 3 : 1;
  return {
    name: 'look',
    calls: Array.from({ length: count }, () => ({ bytes: sizeOf(random, 1, 2_000_000) })),
  };
}

function textOf(message: ChatMessage | undefined): string {
  const { content } = message ?? {};
  return typeof content === 'string' ? content : JSON.stringify(content ?? '');
}
