import { isObject } from '@adorn/core/backend';

import { literalPattern, type SaidText } from './said-text.js';
import { tokensOf } from './words.js';

/** The JSON object of a text, as in `pay_claim {"claimId": "C-1"}`, which is taken out of it; undefined if there is none. */
export function takeObject(text: SaidText): Record<string, unknown> | undefined {
  const written = text.left.join('');
  const json = written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1);
  const found = parsed(json);
  if (found !== undefined) text.take(new RegExp(literalPattern(json), 'u'));
  return found;
}

/** The value at the path of a parameter, whatever it is: whether it fits, the tool says. */
export function valueAt(object: Record<string, unknown> | undefined, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), object);
}

/** Takes what follows the name of a parameter, `claimId: C-1` or `claim id = C-1`, with the name; the value has the pattern. */
export function takeNamed(name: string, value: string, text: SaidText): string | undefined {
  const label = tokensOf(name).map(literalPattern).join('[ _-]?');
  const named = text.take(new RegExp(String.raw`(?<![\p{L}\p{N}_])${label}\s*[:=]\s*(?:${value})`, 'iu'));
  return named?.replace(/^[^:=]*[:=]\s*/u, '');
}

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
