import { Deny } from '@adorn/core';
import { checkPluginOptions, credentialsIn, oneOf, type OptionRules, rule, TEXT } from '@adorn/core/backend';

import {
  guardFields,
  TEXT_GUARD_OPTIONS,
  type TextGuard,
  type TextGuardOptions,
  textOf,
} from './text-guard.js';

/** The options of `secrets`. */
export interface SecretsOptions extends TextGuardOptions {
  /**
   * For texts: `block` refuses the text, `redact` replaces what is found. A call of a tool is refused either way. Default:
   * `block`.
   */
  readonly action?: 'block' | 'redact';
  /** Replaces each finding. Default: `[secret]`. */
  readonly replacement?: string;
  /** Forms of further secrets, such as `/\bACME-[0-9A-F]{32}\b/`. Default: none. */
  readonly patterns?: readonly RegExp[];
}

const OPTIONS: OptionRules<SecretsOptions> = {
  ...TEXT_GUARD_OPTIONS,
  action: oneOf('block', 'redact'),
  replacement: TEXT,
  patterns: rule(
    (value) => Array.isArray(value) && value.every((pattern) => pattern instanceof RegExp),
    'Pass a list of regular expressions, such as [/\\bACME-\\w{32}\\b/].',
  ),
};

const REASON = 'It contains a credential.';

/**
 * A guardrail for credentials in texts, in the arguments of tools and in their results: keys of known providers, bearer tokens,
 * private keys, passwords in URLs, `password=…`: the forms that logs are cleaned of. It finds what has a form, and does not
 * guess by randomness: digests, ids and encoded pictures look random, too. The reason never repeats a finding.
 *
 * @throws {PluginOptionInvalidError}
 * @example
 * new GuardrailsPlugin({ inputGuardrails: [secrets({ action: 'redact' })], toolGuardrails: [secrets()] })
 */
export function secrets(options: SecretsOptions = {}): TextGuard {
  checkPluginOptions('secrets', options, OPTIONS);
  const { action = 'block', replacement = '[secret]', patterns = [] } = options;
  const forms = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`));
  const find = (text: string): readonly string[] => secretsIn(text, forms);
  const texts: TextGuard = {
    ...guardFields('secrets', options),
    check(text) {
      const found = find(text);
      if (found.length === 0) return undefined;
      return action === 'block' ? new Deny(REASON) : without(text, found, replacement);
    },
    checkCall(_tool, args) {
      const place = Object.entries(args).find(([, value]) => find(textOf(value)).length > 0);
      return place && new Deny(`The argument "${place[0]}" contains a credential. Leave it out.`);
    },
  };
  if (action === 'redact') return texts;
  return {
    ...texts,
    checkResult: (_tool, result) =>
      find(textOf(result)).length > 0 ? new Deny('The result contains a credential.') : undefined,
  };
}

function secretsIn(text: string, forms: readonly RegExp[]): string[] {
  const own = forms.flatMap((form) => Array.from(text.matchAll(form), ([match]) => match));
  return [...credentialsIn(text).filter((found) => !isWord(found)), ...own.filter((match) => match !== '')];
}

/** True for an ordinary word, as in "Forgot your password: please ask for a new one". */
function isWord(found: string): boolean {
  return /^[\p{L}\p{M}'’-]+[.!?:]*$/u.test(found) && !/\p{Ll}\p{Lu}/u.test(found);
}

/** A secret that contains another one goes first. */
function without(text: string, found: readonly string[], replacement: string): string {
  const longestFirst = [...found].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((safe, secret) => safe.replaceAll(secret, () => replacement), text);
}
