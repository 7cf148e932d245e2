import { joinText } from '../events/content-parts.js';
import { AdornError } from '@adorn/schema';
import type { ReadonlyContext } from '../run/callback-context.js';
import type { Awaitable } from '../runtime/awaitable.js';
import { type ReadonlyState, scopeOf } from '../events/state.js';
import type { InstructionProvider } from './turn-agent.js';

/** A compiled instruction with placeholders. */
export interface InstructionTemplate {
  /** The text, if it has no placeholders. */
  readonly constant: string | undefined;
  /** The whole sentences before the first placeholder. */
  readonly beginning: string;
  /** The placeholders as they are written, such as `{user:name?}`. */
  readonly places: readonly string[];
  /** @throws {InstructionKeyMissingError} if a required placeholder has no value */
  readonly fill: (context: ReadonlyContext) => Promise<string>;
}

type Piece = string | Place;

interface Place {
  readonly key: string;
  readonly isArtifact: boolean;
  /** True for `{key?}`, which is empty if there is no value. */
  readonly isOptional: boolean;
}

/** Matches `{key}`, `{key?}`, `{app:key}` and `{artifact.name}`. Other braces are text. */
const PLACE = /\{(artifact\.[^{}?]+|(?:(?:app|user|temp):)?[A-Za-z_]\w*)(\?)?\}/g;

const ARTIFACT = 'artifact.';

/** Compiles an instruction. */
export function compileTemplate(text: string): InstructionTemplate {
  const pieces = piecesOf(text);
  const constant = pieces.every((piece) => typeof piece === 'string') ? text : undefined;
  const places = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [writtenAs(piece)]));
  const beginning = wholeSentences(text, pieces[0]);
  return { constant, beginning, places, fill: (context) => fill(pieces, context) };
}

/** The constant text of an instruction, cut at its placeholders: the first piece is what stands before the first one. */
export function constantPieces(text: string): string[] {
  return piecesOf(text).filter((piece) => typeof piece === 'string');
}

/** Providers read their caches in blocks: a block ends with a line or a sentence. */
function wholeSentences(text: string, before: unknown): string {
  const head = typeof before === 'string' ? before : '';
  if (head === text) return text;
  const sentence = head.lastIndexOf('. ');
  return head.slice(0, Math.max(head.lastIndexOf('\n') + 1, sentence === -1 ? 0 : sentence + 2));
}

/** The beginnings of instructions that are tagged templates. */
const beginnings = new WeakMap<InstructionProvider, string>();

/** The text that an instruction begins with, whatever the context is. */
export function beginningOf(instruction: InstructionProvider): string {
  return beginnings.get(instruction) ?? '';
}

/**
 * An instruction with placeholders as a function of the context, which fills them in: `{key}`, `{key?}`, `{app:key}` and
 * `{artifact.name}`. It rejects with `INSTRUCTION_KEY_MISSING` if one has no value.
 */
export function instructionProvider(text: string): InstructionProvider {
  return compileTemplate(text).fill;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, name = '', optional] = match;
    const isArtifact = name.startsWith(ARTIFACT);
    pieces.push(text.slice(end, match.index), {
      key: isArtifact ? name.slice(ARTIFACT.length) : name,
      isArtifact,
      isOptional: optional !== undefined,
    });
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

async function fill(pieces: readonly Piece[], context: ReadonlyContext): Promise<string> {
  const { agentName, state } = context;
  const filled = await Promise.all(
    pieces.map(async (piece) => {
      if (typeof piece === 'string') return piece;
      const value = piece.isArtifact ? await artifactText(piece.key, context) : stateText(piece.key, state);
      if (value === undefined && !piece.isOptional)
        throw new InstructionKeyMissingError(agentName, nameOf(piece));
      return value ?? '';
    }),
  );
  return filled.join('');
}

function writtenAs(place: Place): string {
  return `{${nameOf(place)}${place.isOptional ? '?' : ''}}`;
}

function nameOf({ key, isArtifact }: Place): string {
  return isArtifact ? `${ARTIFACT}${key}` : key;
}

function stateText(key: string, state: ReadonlyState): string | undefined {
  const value = state.get(key);
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function artifactText(name: string, context: ReadonlyContext): Promise<string | undefined> {
  const part = await context.loadArtifact(name);
  if (!part) return undefined;
  return part.text === undefined ? JSON.stringify(part) : joinText({ parts: [part] });
}

/** An instruction has a placeholder that neither the state nor an artifact fills. The model is not called. */
class InstructionKeyMissingError extends AdornError {
  readonly code = 'INSTRUCTION_KEY_MISSING';

  constructor(agentName: string, key: string) {
    const isArtifact = key.startsWith('artifact.');
    super(
      `The instruction of agent "${agentName}" has a placeholder {${key}}, but ` +
        `${isArtifact ? 'there is no artifact with that name' : 'the state does not contain that key'}. ` +
        `${isArtifact ? 'Save it before the run' : remedyFor(key)}, or write {${key}?} if it may be absent.`,
    );
  }
}

/** How to set a missing key: the `stateDelta` of `run` refuses shared keys. */
function remedyFor(key: string): string {
  const scope = scopeOf(key);
  const isShared = scope === 'user' || scope === 'app';
  if (!isShared) return 'Pass it in the stateDelta of the run';
  return 'Write it with runner.sessions.updateSession, or from a tool or a callback';
}

/** A value in `${…}` of an instruction: a constant, or a function of the context. */
export type InstructionValue = string | number | boolean | ((context: ReadonlyContext) => Awaitable<unknown>);

/**
 * An instruction as a tagged template. Only `${…}` is a placeholder; other braces are plain text.
 *
 * @example
 * override instruction = instruct`Help ${({ state }) => state.get('customer', 'the customer')}. Answer as {"text": …}.`;
 */
export function instruct(texts: TemplateStringsArray, ...values: InstructionValue[]): InstructionProvider {
  const provider: InstructionProvider = async (context) => {
    const filled = await Promise.all(
      values.map((value) => (typeof value === 'function' ? value(context) : value)),
    );
    return texts.map((text, index) => text + shown(filled[index])).join('');
  };
  beginnings.set(provider, wholeSentences(texts.join(''), texts[0]));
  return provider;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
