/** How many utterances are remembered whose words have not come. */
const MOST_AWAITED = 50;

interface Utterance {
  /** The first stored event of its answer. */
  before: string | undefined;
  /** True if it has ended within an answer, which is therefore none to it. */
  isWithin: boolean;
}

/**
 * The places of spoken questions whose words come after their answers: a provider transcribes beside the answer. An answer
 * that begins before any words were heard is the answer to the next words, unless the provider names the utterance.
 */
export class AnsweredQuestions {
  /** The utterances whose words have not come. */
  private readonly utterances = new Map<string, Utterance>();
  /** Whether the words of the question of the newest answer are still to come. */
  private awaits = false;
  private isUnderWay = false;
  private first: string | undefined;

  /** An utterance has ended. */
  ended(utterance: string): void {
    if (this.utterances.size >= MOST_AWAITED) this.utterances.clear();
    this.utterances.set(utterance, { before: undefined, isWithin: this.isUnderWay });
  }

  /** An answer begins. @param isUnheard true if its question was spoken, and no word of it was heard yet */
  begin(isUnheard: boolean): void {
    this.awaits = isUnheard;
    this.isUnderWay = true;
    this.first = undefined;
  }

  /** Something of the answer was stored. */
  answered(eventId: string): void {
    if (this.awaits && this.isUnderWay) this.first ??= eventId;
    for (const utterance of this.utterances.values()) if (!utterance.isWithin) utterance.before ??= eventId;
  }

  /** Words of the question were stored. */
  heard(): void {
    this.awaits = false;
    this.first = undefined;
  }

  end(): void {
    this.isUnderWay = false;
    this.heard();
    for (const utterance of this.utterances.values()) utterance.isWithin = false;
  }

  /** True if an answer goes on, or has just ended, whose question was not heard yet. */
  get isAwaited(): boolean {
    return this.awaits;
  }

  /** True while an answer goes on to words that were not heard when it began. */
  get isAnswering(): boolean {
    return this.awaits && this.isUnderWay;
  }

  /** The first stored event of the answer that goes on, if its question was not heard yet. */
  get newestAnswer(): string | undefined {
    return this.first;
  }

  /** The stored event that answers an utterance; undefined if it is not answered. @param isLast its words are complete */
  answerTo(utterance: string | undefined, isLast: boolean): string | undefined {
    if (utterance === undefined) return undefined;
    const before = this.utterances.get(utterance)?.before;
    if (isLast) this.utterances.delete(utterance);
    return before;
  }
}
