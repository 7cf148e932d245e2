import { shortened } from '../names/shown-name.js';
import type { JsonSchema } from './json-schema.js';

const LONGEST_VALUE = 60;

/** Names of what nobody but its owner should read. */
const SECRET =
  /pass(word|wd|phrase|code)|secret|token|api[-_]?key|private[-_]?key|authorization|credential|^(auth|pin|cvc|cvv|ssn)$/i;

const HIDDEN = '(hidden)';

/**
 * A value as JSON, for a sentence about it: cut, since a long one may be anything, and hidden where its name, a name on
 * the way to it, or its schema says that it is a secret.
 */
export function shownValue(value: unknown, path: readonly string[] = [], schema: JsonSchema = {}): string {
  const isSecret = schema['format'] === 'password' || schema['writeOnly'] === true;
  if (isSecret || path.some(isSecretName) || isSecretText(value)) return HIDDEN;
  const text = (JSON.stringify(value, withoutSecrets) as string | undefined) ?? 'nothing';
  return shortened(text, LONGEST_VALUE);
}

function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** JSON or a header written as text. */
function isSecretText(value: unknown): boolean {
  return typeof value === 'string' && /[:=]/.test(value) && value.split(/[^\w-]/).some(isSecretName);
}

function withoutSecrets(this: unknown, name: string, value: unknown): unknown {
  return !Array.isArray(this) && isSecretName(name) ? HIDDEN : value;
}
