import { isIP } from 'node:net';

import { Deny, type Guardrail } from '@adorn/core';
import { checkPluginOptions, oneOf, type OptionRules, rule, TEXT } from '@adorn/core/backend';

/** A kind of personal data. */
export type PersonalDataKind = 'email' | 'phone' | 'iban' | 'card' | 'ip';

/** The options of `personalData`. */
export interface PersonalDataOptions {
  /** Default: all. */
  readonly kinds?: readonly PersonalDataKind[];
  /** `block` refuses the text; `redact` replaces what is found. Default: `block`. */
  readonly action?: 'block' | 'redact';
  /** Replaces each finding. Default: its kind in brackets, such as `[email]`. */
  readonly replacement?: string;
  /** Default: `personal-data`. */
  readonly name?: string;
}

interface Detector {
  readonly pattern: RegExp;
  /** What the pattern found is of the kind. */
  readonly isOne: (found: string) => boolean;
}

/** In the order in which they are applied: an IBAN and the number of a card look like phone numbers. */
const DETECTORS: Readonly<Record<PersonalDataKind, Detector>> = {
  email: {
    pattern: /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
    isOne: () => true,
  },
  iban: { pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/gi, isOne: isIban },
  card: { pattern: /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]?\d)/g, isOne: isCard },
  ip: {
    pattern: /(?<![\w.:])[\da-f]{0,4}(?:[.:][\da-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![\w:])/gi,
    isOne: isAddress,
  },
  phone: {
    pattern: /(?<![\w.])(?:\+|00)?\(?\d{1,4}\)?(?:[ /.-]?\(?\d{1,5}\)?){2,7}(?![\w]|\.\d)/g,
    isOne: isPhone,
  },
};

const KINDS = Object.keys(DETECTORS) as readonly PersonalDataKind[];

const OPTIONS: OptionRules<PersonalDataOptions> = {
  kinds: rule(
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((kind) => (KINDS as readonly unknown[]).includes(kind)),
    `Pass a list of ${KINDS.join(', ')}.`,
  ),
  action: oneOf('block', 'redact'),
  replacement: TEXT,
  name: TEXT,
};

/**
 * A guardrail for personal data: e-mail addresses, phone numbers, IBANs and numbers of payment cards with right check digits,
 * IP addresses. It finds what has a form that it knows; names, addresses of houses and numbers of national documents have
 * none. The reason names the kinds that were found, never the data.
 *
 * @throws {PluginOptionInvalidError}
 */
export function personalData(options: PersonalDataOptions = {}): Guardrail {
  checkPluginOptions('personalData', options, OPTIONS);
  const { kinds = KINDS, action = 'block', replacement, name = 'personal-data' } = options;
  const chosen = KINDS.filter((kind) => kinds.includes(kind));
  return {
    name,
    check: (text) => {
      const found = new Set<PersonalDataKind>();
      let safe = text;
      for (const kind of chosen) safe = without(safe, kind, replacement ?? `[${kind}]`, found);
      if (found.size === 0) return undefined;
      return action === 'redact' ? safe : new Deny(`It contains personal data: ${[...found].join(', ')}.`);
    },
  };
}

function without(
  text: string,
  kind: PersonalDataKind,
  replacement: string,
  found: Set<PersonalDataKind>,
): string {
  const { pattern, isOne } = DETECTORS[kind];
  return text.replace(pattern, (match) => {
    if (!isOne(match)) return match;
    found.add(kind);
    return replacement;
  });
}

/** ISO 13616: the number, with its first four characters at its end and letters as numbers, is 1 modulo 97. */
function isIban(text: string): boolean {
  const iban = text.replace(/ /g, '').toUpperCase();
  if (iban.length < 15 || iban.length > 34) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    rest = Number(`${String(rest)}${String(parseInt(character, 36))}`) % 97;
  return rest === 1;
}

/** ISO/IEC 7812: the Luhn sum is a multiple of ten. A row of one digit is no number of a card. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (new Set(digits).size === 1) return false;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => total + luhn(Number(digit), index), 0);
  return sum % 10 === 0;
}

function luhn(digit: number, index: number): number {
  if (index % 2 === 0) return digit;
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0 && text !== '::';
}

/** Seven to fifteen digits (E.164), with a prefix or with separators: a bare number may be anything, and so may a date. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15) return false;
  if (/^\d{4}([-./])\d{1,2}\1\d{1,2}$|^\d{1,2}([-./])\d{1,2}\2\d{4}$/.test(text)) return false;
  const hasPrefix = /^(?:\+|00?(?!\.)|\()/.test(text);
  return hasPrefix || /^\d{3}[-. ]\d{3}[-. ]\d{4}$/.test(text);
}
