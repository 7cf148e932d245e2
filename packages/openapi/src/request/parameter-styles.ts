import { isObject } from '../document/json-object.js';
import type { ParameterStyle, Serialization } from '../document/operation.js';

/** A name, not yet encoded, and an encoded value of a query, a cookie or a form. */
export type Pair = readonly [name: string, value: string];

/** A value as one text: of a path segment or a header. `encode` is applied to each part, not to the separators. */
export function simpleText(
  name: string,
  value: unknown,
  { style, explode }: Pick<Serialization, 'style' | 'explode'>,
  encode: (text: string) => string,
): string {
  const parts = partsOf(value, explode ? '=' : ',', encode);
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  const key = encode(name);
  if (!explode) return `;${key}=${parts.join(',')}`;
  if (isObject(value)) return `;${parts.join(';')}`;
  return parts.map((part) => `;${key}=${part}`).join('');
}

/** The items of a list, or the entries of an object with a separator between name and value. */
function partsOf(value: unknown, separator: string, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.filter(isPresent).map((item) => encode(plainText(item)));
  if (!isObject(value)) return [encode(plainText(value))];
  return Object.entries(value)
    .filter(([, part]) => isPresent(part))
    .map(([key, part]) => encode(key) + separator + encode(plainText(part)));
}

/** A value as pairs of a query, a cookie or a form. `encode` is applied to each part of the value. */
export function pairsOf(
  name: string,
  value: unknown,
  { style, explode }: Pick<Serialization, 'style' | 'explode'>,
  encode: (text: string) => string,
): Pair[] {
  if (style === 'deepObject' && (isObject(value) || Array.isArray(value)))
    return deepPairs(name, value, encode);
  if (Array.isArray(value)) {
    const items = value.filter(isPresent).map(plainText);
    return explode ? items.map((item) => [name, encode(item)]) : [[name, joined(items, style, encode)]];
  }
  if (isObject(value)) {
    const entries = Object.entries(value).filter(([, part]) => isPresent(part));
    if (explode) return entries.map(([key, part]) => [key, encode(plainText(part))]);
    const texts = entries.flatMap(([key, part]) => [key, plainText(part)]);
    return [[name, joined(texts, style, encode)]];
  }
  return [[name, encode(plainText(value))]];
}

/**
 * A comma divides the parts as it is, and is encoded within a part (RFC 6570, which OpenAPI names): a server can tell `a,b` and
 * `c` from `a`, `b` and `c`. Spaces and bars have no place in a URL, and are encoded also where they divide.
 */
function joined(parts: readonly string[], style: ParameterStyle, encode: (text: string) => string): string {
  if (style === 'spaceDelimited') return parts.map(encode).join(encode(' '));
  if (style === 'pipeDelimited') return parts.map(encode).join(encode('|'));
  return parts.map((part) => encode(part).replaceAll(',', '%2C')).join(',');
}

/**
 * `filter[state]=open`, `filter[by][name]=ada`, `items[0][price]=2`: the specification leaves lists open, and a parser can
 * only tell the items of a list of objects apart by their indices.
 */
function deepPairs(name: string, value: unknown, encode: (text: string) => string): Pair[] {
  if (!isObject(value) && !Array.isArray(value)) return [[name, encode(plainText(value))]];
  const present = Array.isArray(value) ? value.filter(isPresent) : value;
  return Object.entries(present)
    .filter(([, part]) => isPresent(part))
    .flatMap(([key, part]) => deepPairs(`${name}[${key}]`, part, encode));
}

/** What is deeper than the styles reach is written as JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Everything but letters, digits and `-._~`. */
export function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same but for the reserved characters that do not divide a query. */
export function encodedReserved(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(/%(3A|2F|3F|40|24|2C|3B)/gi, (code) =>
    decodeURIComponent(code),
  );
}

/** A lone surrogate has no UTF-8. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
