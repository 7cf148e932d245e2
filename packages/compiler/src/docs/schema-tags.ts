import { TAG_KINDS } from './tag-values.js';

/** A tag that says nothing a schema can hold. */
export interface TagFault {
  readonly tag: string;
  readonly written: string;
  readonly wanted: string;
}

/**
 * What the tags of a comment say, by the name of the tag. Texts of `default`, `const` and `examples` are read only
 * when they meet a schema, whose type says what they are.
 */
export interface SchemaTags extends Readonly<Record<string, unknown>> {
  readonly asType?: string;
  readonly examples?: readonly string[];
  readonly items?: SchemaTags;
  readonly faults?: readonly TagFault[];
}

/** Tags of declarations that are hidden from the model. */
const IGNORED = ['ignore', 'hidden', 'hide', 'internal', 'TJS-ignore'];

const ALIASES: Readonly<Record<string, string>> = {
  example: 'examples',
  defaultValue: 'default',
  'TJS-type': 'asType',
};

export function isIgnored(tags: SchemaTags): boolean {
  return IGNORED.some((name) => tags[name] === true);
}

/** A tag that speaks of the whole declaration wherever it stands in the comment, by being there. */
export function isMark(name: string): boolean {
  return name === 'deprecated' || IGNORED.includes(name);
}

export function isSchemaTag(name: string): boolean {
  const [first = '', part] = plainName(name).split('.');
  return Object.hasOwn(TAG_KINDS, part ?? first) && (part === undefined || first === 'items');
}

export function takesTheLine(name: string): boolean {
  return TAG_KINDS[lastName(name)]?.isLine ?? false;
}

/**
 * The words behind a tag that JSDoc or prose uses by the same name, without the type in braces; undefined where the
 * text is meant for a schema.
 */
export function wordsOfForeign(name: string, text: string): string | undefined {
  const isForeign = TAG_KINDS[plainName(name)]?.isForeign?.(text.trim()) === true;
  return isForeign ? text.replace(/^\s*\{[^]*\}/, '') : undefined;
}

/** True if the tag without a value means `true`. */
export function isFlag(name: string): boolean {
  return ['uniqueItems', 'nullable'].includes(lastName(name));
}

/** Adds one tag. A tag without a value says `true`, as in `@uniqueItems`. */
export function withTag(tags: SchemaTags, tag: string, value: string, printed = tag): SchemaTags {
  const name = plainName(tag);
  if (name.startsWith('items.')) {
    return { ...tags, items: withTag(tags.items ?? {}, name.slice('items.'.length), value, printed) };
  }
  const written = value.trim();
  if (name === 'examples')
    return written === '' ? tags : { ...tags, examples: [...(tags.examples ?? []), written] };
  const read = TAG_KINDS[name]?.read(written);
  if (read !== undefined) return { ...tags, [name]: read };
  const fault = { tag: printed, written, wanted: TAG_KINDS[name]?.wanted ?? 'a value' };
  return { ...tags, faults: [...(tags.faults ?? []), fault] };
}

/** typescript-json-schema also takes its tags as `@TJS-minimum`, and `type` only so. */
function plainName(tag: string): string {
  return ALIASES[tag] ?? ALIASES[tag.replace(/^TJS-/, '')] ?? tag.replace(/^TJS-/, '');
}

function lastName(tag: string): string {
  return plainName(tag).replace(/^items\./, '');
}
