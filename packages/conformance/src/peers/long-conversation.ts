import { type Random, randomFrom } from '../types/random.js';

/** What a model of a long conversation is like, as the number of the conversation decides. */
export interface ConversationPlan {
  /** The largest request that the model answers, in its tokens. */
  readonly window: number;
  /** How many bytes of JSON are one of its tokens. */
  readonly bytesPerToken: number;
  /** What the model decides by. */
  readonly random: Random;
}

/** What became of all conversations with a kit. */
export interface HeldConversations {
  readonly answered: number;
}

/** Messages of one conversation. */
export const MESSAGES = 10;

const LARGEST_MESSAGE = 20_000;
/** Neighbouring seeds begin far from each other. */
const SPREAD = 2_654_435_761;

/** The conversation of a number, from 1. */
export function planOf(no: number): ConversationPlan {
  const random = randomFrom(no * SPREAD);
  return { window: sizeOf(random, 8_000, 1_000_000), bytesPerToken: 2.5 + 2.5 * random(), random };
}

/** A whole number between the two, small ones as often as large ones. */
export function sizeOf(random: Random, least: number, most: number): number {
  return Math.round(least * (most / least) ** random());
}

/** Holds so many conversations, one after the other. A message that fails is followed by the next one. */
export async function holdConversations(
  desk: { say(session: string, text: string): Promise<string> },
  count: number,
): Promise<HeldConversations> {
  let answered = 0;
  for (let no = 1; no <= count; no++) {
    for (const text of messagesOf(no)) {
      const said = await desk.say(`s${String(no)}`, text).catch(() => '');
      if (said.includes('Done.')) answered += 1;
    }
  }
  return { answered };
}

/** Each names its conversation, and none is more than an eighth of the window. */
function messagesOf(no: number): string[] {
  const { window, bytesPerToken } = planOf(no);
  const random = randomFrom(no * SPREAD + 1);
  const most = Math.min((window * bytesPerToken) / 8, LARGEST_MESSAGE);
  return Array.from(
    { length: MESSAGES },
    (_, turn) => `#${String(no)}.${String(turn)} ${'go '.repeat(Math.ceil(sizeOf(random, 1, most) / 3))}`,
  );
}
