import type { JsonObject } from '../conversion/json-object.js';
import { isConstraint } from '../conversion/rules.js';

/** What a schema says in words, and what it demands. */
export function splitWords(schema: JsonObject): [words: JsonObject, rules: JsonObject] {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([keyword]) => !isConstraint(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => isConstraint(keyword))),
  ];
}

export function isOnlyWords(schema: JsonObject): boolean {
  return !Object.keys(schema).some(isConstraint);
}
