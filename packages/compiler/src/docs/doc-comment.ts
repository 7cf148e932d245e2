import { ts } from '../typescript.js';
import {
  isFlag,
  isMark,
  isSchemaTag,
  type SchemaTags,
  takesTheLine,
  withTag,
  wordsOfForeign,
} from './schema-tags.js';

/** The text and tags of a comment for a declaration or parameter. */
export interface Words {
  /** The text without its tags; absent if there is none. */
  readonly description?: string;
  readonly tags: SchemaTags;
  /** The declaration of the comment. */
  readonly at?: ts.Node;
}

/** A parsed doc comment. */
export interface DocComment extends Words {
  /** By the name written after `@param` or `@property`, dots included. */
  readonly params: ReadonlyMap<string, Words>;
}

export const NO_WORDS: DocComment = { tags: {}, params: new Map() };

interface Section {
  readonly lines: string[];
  tags: SchemaTags;
}

/** What follows the text of the declaration, such as the text of `@returns`. */
interface ToldSection extends Section {
  readonly intro: string;
}

/**
 * Reads the text of a doc comment. A schema tag belongs to the `@param` it follows, on its line or below it,
 * and before the first `@param` to the declaration itself. What `@returns`, `@throws` and `@remarks` say follows the text of
 * the declaration; any other tag ends what came before it and is left out. An
 * `@` inside a line is a tag only where it is one of the schema's. An example that begins below its tag is one of the
 * whole, as of a call.
 */
export function parseDocComment(text: string): DocComment {
  const own = emptySection();
  const params = new Map<string, Section>();
  const told: ToldSection[] = [];
  let current: Section = own;
  let exampleOf: Section = own;
  let example: string[] | undefined;
  for (const line of linesOf(text)) {
    const tag = isInFence(example) ? null : /^\s*@([\w.-]+)[ \t]?(.*)/.exec(line);
    if (tag === null) {
      if (!example) readLine(current, line);
      else example.push(line);
      continue;
    }
    closeExample(own, exampleOf, example);
    example = undefined;
    const [, name = '', rest = ''] = tag;
    if (PARAMS.has(name)) current = exampleOf = openParam(params, rest);
    else if (name === 'example') example = [rest];
    else if (isSchemaTag(name)) readLine(current, line);
    else {
      current = openBlock(name, rest, own, told);
      exampleOf = own;
    }
  }
  closeExample(own, exampleOf, example);
  for (const { intro, lines } of told)
    if (lines.some((line) => line.trim() !== ''))
      own.lines.push('', intro + (lines[0] ?? ''), ...lines.slice(1));
  return { ...wordsOf(own), params: new Map([...params].map(([name, section]) => [name, wordsOf(section)])) };
}

/** Tags that begin something of their own also in the middle of a line, as in a comment of one line. */
const BLOCK_TAG =
  /\s(?=@(?:param|arg|argument|property|prop|returns?|throws|deprecated|see|remarks|privateRemarks|summary|description|since|template|typeParam|internal|hidden|hide|ignore|public|alpha|beta|experimental|override|adorn-ignore)\b)/;

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines
    .map((line, index) => (index === 0 ? line : line.replace(/^\s*\*? ?/, '')))
    .flatMap(withBlocksApart);
}

function withBlocksApart(line: string): string[] {
  if (/^\s*@example\b/.test(line)) return [line];
  const parts = line.split(BLOCK_TAG);
  return parts.some(isInCode) ? [line] : parts;
}

/** True if code starts in this part and ends in another. */
function isInCode(part: string): boolean {
  return part.split('`').length % 2 === 0;
}

function emptySection(): Section {
  return { lines: [], tags: {} };
}

const PARAMS = new Set(['param', 'arg', 'argument', 'property', 'prop']);

/** Tags whose text is the declaration's own. */
const OWN_TEXT = new Set(['description', 'desc', 'summary']);

/** Tags whose text follows that of the declaration, and how it begins there. */
const TOLD: Readonly<Record<string, string>> = {
  returns: 'Returns: ',
  return: 'Returns: ',
  throws: 'Throws: ',
  exception: 'Throws: ',
  remarks: '',
};

/** Records a flag such as `@deprecated`; drops its text, and the text of unknown tags. */
function openBlock(name: string, rest: string, own: Section, told: ToldSection[]): Section {
  if (isMark(name)) own.tags = { ...own.tags, [name]: rest.trim() !== 'false' };
  const intro = Object.hasOwn(TOLD, name) ? TOLD[name] : undefined;
  if (intro !== undefined) {
    const section = { intro, ...emptySection() };
    section.lines.push(withoutType(rest.trimStart()));
    told.push(section);
    return section;
  }
  if (!OWN_TEXT.has(name)) return emptySection();
  own.lines.push('', rest);
  return own;
}

/** True if a fence starts in the lines and does not end. */
function isInFence(lines: readonly string[] = []): boolean {
  return lines.filter((line) => line.trimStart().startsWith('```')).length % 2 === 1;
}

/** `@param {string} [name=default] - Text`, of which only the name and the text are wanted. */
function openParam(params: Map<string, Section>, rest: string): Section {
  const [, optional, name = '', text = ''] = PARAM.exec(withoutType(rest.trimStart())) ?? [];
  const section = emptySection();
  params.set(optional ?? name, section);
  readLine(section, text);
  return section;
}

const PARAM =
  /(?:\[\s*([^\]=\s]+)\s*(?:=(?:[^[\]]|\[[^\]]*\])*)?\]|([\p{L}\p{N}_$.[\]-]*))\s*(?:[-–—:]+(?:\s|$))?(.*)/u;

/** The text without the type in braces, which may contain braces itself. */
function withoutType(text: string): string {
  if (!text.startsWith('{')) return text;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return text.slice(index + 1).trimStart();
  }
  return text;
}

function closeExample(own: Section, near: Section, lines: readonly string[] = []): void {
  const section = lines[0]?.trim() === '' ? own : near;
  section.tags = withTag(section.tags, 'example', lines.join('\n'));
}

const INLINE_TAG = /(?:^|\s)@([\w.-]+)/g;

/** Puts the text of a line to the lines of a section and its schema tags to the tags. */
function readLine(section: Section, line: string): void {
  const marks = [...line.matchAll(INLINE_TAG)].filter(([, name = '']) => isSchemaTag(name));
  const texts = [line.slice(0, marks[0]?.index)];
  for (const [position, mark] of marks.entries()) {
    const name = mark[1] ?? '';
    const written = line.slice(mark.index + mark[0].length, marks[position + 1]?.index);
    const foreign = wordsOfForeign(name, written);
    if (foreign !== undefined) {
      texts.push(foreign.trimStart());
      continue;
    }
    const [value, rest] = takesTheLine(name) ? [written, ''] : firstWord(written, isFlag(name));
    section.tags = withTag(section.tags, name, value);
    texts.push(rest);
  }
  const text = texts.map((part) => part.trimEnd()).filter((part) => part !== '');
  if (marks.length === 0 || text.length > 0) section.lines.push(text.join(' '));
}

/** The value of a tag and the rest of its text; a flag has only the values `true` and `false`. */
function firstWord(text: string, flag: boolean): [word: string, rest: string] {
  const [, word = '', rest = ''] = /\s*(\S*)\s*(.*)/.exec(text) ?? [];
  return flag && word !== 'true' && word !== 'false' ? ['', text.trimStart()] : [word, rest];
}

function wordsOf({ lines, tags }: Section): Words {
  const description = flow(lines).trim();
  return description === '' ? { tags } : { description, tags };
}

/**
 * The text of comment lines: the lines of a paragraph become one, paragraphs stay apart, and lists and fenced
 * code keep their lines.
 */
export function flow(lines: readonly string[]): string {
  let text = '';
  let fenced = false;
  let glue = '';
  for (const line of lines) {
    const fence = line.trimStart().startsWith('```');
    const words = fenced && !fence ? line : isListItem(line.trim()) ? line.trimEnd() : line.trim();
    if (words === '' && !fenced) {
      glue = text === '' ? '' : '\n\n';
      continue;
    }
    const apart = fenced || fence || isListItem(words.trimStart());
    text += (apart && glue === ' ' ? '\n' : glue) + words;
    fenced = fence ? !fenced : fenced;
    glue = fenced || fence ? '\n' : ' ';
  }
  return withoutLinks(text);
}

/** An item of a list, a heading or a row of a table. */
function isListItem(line: string): boolean {
  return /^(([-*+]|\d+[.)]|#{1,6})\s|\|)/.test(line);
}

/** `{@link Order | the order}` is "the order", `{@link Order}` is "Order". */
function withoutLinks(text: string): string {
  return text.replace(/\{@\w+\s+([^}|\s]+)\s*\|?\s*([^}]*)\}/g, (_, target: string, label: string) =>
    label.trim() === '' ? target : label.trim(),
  );
}

/** The text of a declaration's doc comment; undefined if it has none. */
export function commentText(node: ts.Node): string | undefined {
  const text = node.getSourceFile().text;
  const found = commentBefore(node, text) ?? commentAfter(node, text);
  return found && text.slice(found.pos + 3, found.end - 2);
}

/** Before the declaration, before its name where decorators come first, or on its line after another token. */
function commentBefore(node: ts.Node, text: string): ts.CommentRange | undefined {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  for (const position of [node.pos, ...[...decorators, ...modifiers].map((part) => part.end)]) {
    const above = lastDoc(ts.getLeadingCommentRanges(text, position), text);
    if (above) return above;
    const beside = lastDoc(ts.getTrailingCommentRanges(text, position), text);
    if (beside && !/^\s*?\n/.test(text.slice(beside.end))) return beside;
  }
  return undefined;
}

/** A comment after the declaration, at the end of the same line. */
function commentAfter(node: ts.Node, text: string): ts.CommentRange | undefined {
  const separator = /^[ \t]*[;,]/.exec(text.slice(node.end))?.[0].length ?? 0;
  const after = lastDoc(ts.getTrailingCommentRanges(text, node.end + separator), text);
  return after && /^[ \t]*(\r?\n|\}|$)/.test(text.slice(after.end)) ? after : undefined;
}

function lastDoc(ranges: readonly ts.CommentRange[] | undefined, text: string): ts.CommentRange | undefined {
  return ranges?.findLast(({ pos, end }) => text.startsWith('/**', pos) && end - pos > 4);
}
