import { withoutCredentials } from '@adorn/core/backend';

/** What stands where a secret was. */
const REDACTED = '<secret>';

/** Shorter values are no secrets, and occur in ordinary words. */
const SHORTEST = 8;

/** Names of environment variables whose values are secrets. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/**
 * A function that takes secrets out of a text: values of environment variables that are named like one, the published forms
 * of keys, and the given ones.
 *
 * @param own texts, and patterns of which every match is one
 */
export function secretRemover(
  own: readonly (string | RegExp)[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): (text: string) => string {
  const values = Object.entries(environment)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value ?? '').trim().length >= SHORTEST)
    .map(([, value]) => String(value));
  const texts = [...own.filter((one) => typeof one === 'string'), ...values].filter((text) => text !== '');
  // A secret that contains another one goes first.
  const longestFirst = texts.toSorted((one, other) => other.length - one.length);
  const patterns = own.filter((one) => one instanceof RegExp).map(everyMatch);
  return (text) => {
    const withoutTexts = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    const withoutOwn = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), withoutTexts);
    return withoutCredentials(withoutOwn, REDACTED);
  };
}

/** The pattern, for `replaceAll`. */
export function everyMatch(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
