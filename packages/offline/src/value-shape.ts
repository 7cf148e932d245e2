import { literalPattern } from './said-text.js';
import type { SimpleSchema } from './simple-schema.js';

const FORMATS: Readonly<Record<string, string>> = {
  email: String.raw`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`,
  uri: String.raw`https?://[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  url: String.raw`https?://[^\s"'<>]*[^\s"'<>.,;:!?)]`,
  uuid: '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
  date: String.raw`\d{4}-\d{2}-\d{2}`,
  'date-time': String.raw`\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?`,
  time: String.raw`\d{1,2}:\d{2}(?::\d{2})?`,
};

/** How a string that is written by a rule looks: by its format, its pattern or the examples of its description. */
export function shapeOf(schema: SimpleSchema): RegExp | undefined {
  if (schema.type !== 'string' || schema.choices.length > 0) return undefined;
  const source =
    FORMATS[schema.format ?? ''] ?? shapeOfPattern(schema.pattern) ?? shapeOfExamples(schema.examples);
  return source === undefined
    ? undefined
    : new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'iu');
}

/** An id as its example or its pattern writes it: `w2611340` is `W2611340`. */
export function writtenLike(found: string | undefined, schema: SimpleSchema | undefined): string | undefined {
  const isUpperCase = schema?.examples.some((example) => /\p{Lu}\d|^\p{Lu}+-/u.test(example)) === true;
  const isInPattern = /^\^?(?:\p{Lu}|\[A-Z\])/u.test(schema?.pattern ?? '');
  return isUpperCase || isInPattern ? found?.toUpperCase() : found;
}

/**
 * A pattern that says too little about its text would match anything, and one that repeats a group without a bound may
 * take for ever: schemas come from servers, too.
 */
function shapeOfPattern(pattern: string | undefined): string | undefined {
  if (pattern === undefined || !/\d|\\d/.test(pattern) || /\)(?:[*+]|\{\d+,\})/.test(pattern))
    return undefined;
  const source = pattern.replace(/^\^/, '').replace(/\$$/, '');
  try {
    return new RegExp(source, 'u').source;
  } catch {
    return undefined;
  }
}

function shapeOfExamples(examples: readonly string[]): string | undefined {
  const shapes = examples.filter((example) => /[\d@]/.test(example)).map(shapeOfExample);
  return shapes.length === 0 ? undefined : [...new Set(shapes)].join('|');
}

/** `W2611340` is a W and some seven digits, `10969` exactly five, `Gartenweg 5` a word and a number. */
function shapeOfExample(example: string): string {
  if (example.includes('@')) return FORMATS['email'] ?? '';
  const isNumeric = !/\p{L}/u.test(example);
  return example
    .split(/(\d+|\p{L}+)/u)
    .map((piece) => shapeOfPiece(piece, isNumeric))
    .join('');
}

function shapeOfPiece(piece: string, isNumeric: boolean): string {
  const { length } = piece;
  if (/^\d/.test(piece)) {
    return isNumeric
      ? `\\d{${String(length)}}`
      : `\\d{${String(Math.max(1, length - 2))},${String(length + 2)}}`;
  }
  if (/^\p{L}{4,}$/u.test(piece)) return String.raw`\p{L}{3,}`;
  return literalPattern(piece);
}
