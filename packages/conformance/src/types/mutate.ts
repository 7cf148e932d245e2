import { asJson, isJson, type Json } from './json-shape.js';
import { pick, type Random } from './random.js';

/** One value of each kind. */
const KINDS: readonly unknown[] = [null, true, 'something else', 7, ['something else'], { else: 1 }];

type Change = (value: unknown, random: Random) => unknown;

/** The value with one thing in it dropped, renamed, added or made of another kind. */
export function mutate(value: unknown, random: Random): unknown {
  const inside = Array.isArray(value) ? value.length > 0 : Object.keys(asJson(value)).length > 0;
  if (inside && random() < 0.55) return within(value, random);
  const change = pick(changesOf(value, inside), random) ?? retyped;
  return change(value, random);
}

function changesOf(value: unknown, inside: boolean): Change[] {
  if (Array.isArray(value)) return [retyped, ...(inside ? [withoutItem] : []), withItem];
  return isJson(value) && inside ? [retyped, withoutKey, withoutKey, renamed] : [retyped];
}

/** Changes one part of an object or a list. */
function within(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    const place = pick([...items.keys()], random) ?? 0;
    return items.with(place, mutate(items[place], random));
  }
  const json = asJson(value);
  const key = pick(Object.keys(json), random) ?? '';
  return { ...json, [key]: mutate(json[key], random) };
}

function retyped(value: unknown, random: Random): unknown {
  const others = KINDS.filter((other) => kindOf(other) !== kindOf(value) || typeof value === 'string');
  return pick(others, random);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function withoutItem(value: unknown): unknown {
  return (value as readonly unknown[]).slice(0, -1);
}

function withItem(value: unknown, random: Random): unknown {
  const items = value as readonly unknown[];
  return [...items, pick([...items, ...KINDS], random)];
}

function withoutKey(value: unknown, random: Random): Json {
  const json = asJson(value);
  const dropped = pick(Object.keys(json), random);
  return Object.fromEntries(Object.entries(json).filter(([key]) => key !== dropped));
}

function renamed(value: unknown, random: Random): Json {
  const json = asJson(value);
  const old = pick(Object.keys(json), random);
  return Object.fromEntries(
    Object.entries(json).map(([key, part]) => [key === old ? `${key}Renamed` : key, part]),
  );
}
