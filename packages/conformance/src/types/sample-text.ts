import type { Json } from './json-shape.js';
import { between, pick, type Random } from './random.js';

/** Texts of many shapes, one of which may fit a pattern. */
const TEXTS = [
  'text',
  'a',
  'A',
  '1',
  '42',
  'word-1',
  'name@example.com',
  '2020-01-31',
  'UPPER',
  '',
  '$',
  'a b',
];

/** A text of a schema's length and, where one was found, of its pattern. */
export function sampleText(schema: Json, random: Random): string {
  const { pattern } = schema;
  if (typeof pattern === 'string') return textLike(pattern, random);
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? least + 8);
  return 'abcdefgh'.repeat(1 + Math.ceil(most / 8)).slice(0, between(least, Math.max(least, most), random));
}

function textLike(pattern: string, random: Random): string {
  const wanted = new RegExp(pattern, 'u');
  const fitting = [...TEXTS, ...unrolled(pattern)].filter((text) => wanted.test(text));
  return pick(fitting, random) ?? 'text';
}

/** The pattern itself read as a text, its usual wild parts filled in. */
function unrolled(pattern: string): string[] {
  return ['a', '1', 'abc', '12'].map((filling) =>
    pattern
      .replace(/^\^|\$$/g, '')
      .replace(/(?:\[[^\]]*\]|\\d|\\w|\.)(?:\{(\d+)\})?[*+?]?/g, (_, times?: string) =>
        times === undefined ? filling : filling.charAt(0).repeat(Number(times)),
      )
      .replace(/[()]/g, '')
      .replace(/\\(.)/g, '$1'),
  );
}
