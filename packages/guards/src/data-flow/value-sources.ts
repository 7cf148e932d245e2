import type { Event, Session } from '@adorn/core';
import {
  isObject,
  labelledIn,
  LabelledResults,
  present,
  Projection,
  RESULT_LABELS,
  type ResultLabel,
  SessionSlot,
} from '@adorn/core/backend';

import { decoded } from './decoded.js';
import { argumentLeaves, isFlat, type Leaf, leavesOf } from './leaves.js';
import { inWords, quotationsIn, secretIn, secretsIn, traitsOf } from './words.js';

/** An argument that quotes a labelled value. */
export interface Quotation {
  /** The argument, such as `to` or `to.0`. */
  readonly argument: string;
  readonly label: ResultLabel;
  /** The tool whose result had the value. */
  readonly from: string;
  /** What was recognised, in lower case. */
  readonly words: string;
}

/** What is known of the values in the arguments of a call. */
export interface ArgumentSources {
  readonly quotations: readonly Quotation[];
  /** True if each value was said by the user, or was in a result before the first confidential one. */
  readonly isKnown: boolean;
}

/** Where a labelled value was first. */
interface Source {
  /** The tools whose results had it, by label. */
  readonly tools: Partial<Record<ResultLabel, string>>;
  /** The sequence number of the event. */
  readonly seq: number;
}

/** A text without a label, in words between spaces. */
interface PlainText {
  readonly words: string;
  /** The sequence number of the event of a result; -1 for what the user says, which counts wherever it stands. */
  readonly seq: number;
}

const indexes = new SessionSlot(() => new ValueSources());

/**
 * Where the values of a conversation come from: who said each first. What was first in a labelled result stays labelled, also
 * where another tool repeats it later, unless the user says it.
 */
export class ValueSources extends Projection {
  private readonly sources = new Map<string, Source>();
  private readonly plain: PlainText[] = [];
  private firstConfidential = Infinity;

  /** What is known of the values in arguments. */
  static of(session: Session, args: Readonly<Record<string, unknown>>): ArgumentSources {
    const index = indexes.of(session);
    index.catchUp(session);
    const values = [...leavesOf(args)];
    return {
      quotations: [...argumentLeaves(args)].flatMap((leaf) => index.quotationsIn(leaf)),
      isKnown:
        isFlat(args) && values.every(({ text }) => index.isPlain(inWords(text), index.firstConfidential)),
    };
  }

  protected override reset(): void {
    this.sources.clear();
    this.plain.length = 0;
    this.firstConfidential = Infinity;
  }

  protected override apply(event: Event, seq: number, session: Session): void {
    const isMessage = event.author === 'user';
    if (isMessage) {
      this.addPlain(event.text, -1);
      this.addPlain(transcriptOf(event), -1);
    }
    if (labelledIn(event, 'confidential').length > 0)
      this.firstConfidential = Math.min(this.firstConfidential, seq);
    for (const { name = '', response } of event.functionResponses) {
      const tools = isMessage ? toolsOfMessage(session, name) : toolsOfResult(event, name);
      for (const leaf of leavesOf(response))
        if (Object.keys(tools).length > 0) this.addLabelled(leaf, { tools, seq });
        else this.addPlain(leaf.text, isMessage ? -1 : seq);
    }
  }

  private addPlain(text: string, seq: number): void {
    const words = inWords(text);
    if (words !== '') this.plain.push({ words: ` ${words} `, seq });
  }

  private addLabelled({ text, isSecret }: Leaf, source: Source): void {
    const traits = [...traitsOf(text), ...(isSecret ? secretIn(text) : [])];
    for (const trait of traits) {
      const known = this.sources.get(trait);
      const tools = { ...source.tools, ...known?.tools };
      this.sources.set(trait, { tools, seq: known?.seq ?? source.seq });
    }
  }

  /** One for each label and tool. */
  private quotationsIn({ path, text }: Leaf): Quotation[] {
    const found = new Map<string, Quotation>();
    for (const readable of decoded(text))
      for (const words of [...quotationsIn(readable), ...secretsIn(readable)]) {
        const source = this.sources.get(words);
        if (source === undefined) continue;
        for (const label of RESULT_LABELS) {
          const from = source.tools[label];
          const key = `${label} ${from ?? ''}`;
          if (from === undefined || found.has(key) || this.isPlain(inWords(words), source.seq)) continue;
          found.set(key, { argument: path, label, from, words });
        }
      }
    return [...found.values()];
  }

  /** True if the user has said the words, or a result without a label had them before an event. */
  private isPlain(words: string, before: number): boolean {
    return words === '' || this.plain.some((text) => text.seq < before && text.words.includes(` ${words} `));
  }
}

/** What a user has said in a live session. */
function transcriptOf({ inputTranscription }: Event): string {
  const text: unknown = isObject(inputTranscription) ? Reflect.get(inputTranscription, 'text') : undefined;
  return typeof text === 'string' ? text : '';
}

/** A message may bring the result of a long-running call, which bears no mark. */
function toolsOfMessage(session: Session, name: string): Source['tools'] {
  return toolsBy((label) => LabelledResults.of(session, label).find((tool) => tool === name));
}

/** The tool itself; or the one whose results it has read in the state of the user or the application. */
function toolsOfResult(event: Event, name: string): Source['tools'] {
  return toolsBy((label) => {
    const marked = labelledIn(event, label);
    if (marked.includes(name)) return name;
    return marked.find((tool) => event.functionResponses.every((one) => one.name !== tool));
  });
}

function toolsBy(toolOf: (label: ResultLabel) => string | undefined): Source['tools'] {
  return present(Object.fromEntries(RESULT_LABELS.map((label) => [label, toolOf(label)])));
}
