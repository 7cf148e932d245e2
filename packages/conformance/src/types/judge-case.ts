import { compareSchemas } from './compare-schemas.js';
import { CLASS, type Derived, METHOD, PARAMETER } from './derive-cases.js';
import { silentlyEmpty } from './silently-empty.js';
import { ERRORS, QUIRKS, RULES, TAG_RULES } from './expectations.js';
import type { TypeCase } from './type-case.js';

export type Outcome = 'agrees' | 'error as demanded' | 'quirk' | 'differs';

export interface Verdict {
  readonly outcome: Outcome;
  /** In what it differs, or what the error says. */
  readonly reason?: string;
}

/** Holds what was derived to what is expected. Of several roots of one name, one has to agree. */
export function judgeCase(one: TypeCase, derived: readonly Derived[], seed: number): Verdict {
  if (derived.length === 0) return { outcome: 'differs', reason: 'its root type was not found' };
  const verdicts = derived.map((each) => judgeRoot(one, each, seed));
  return verdicts.find(({ outcome }) => outcome === 'agrees') ?? verdicts[0] ?? { outcome: 'differs' };
}

function judgeRoot(one: TypeCase, derived: Derived, seed: number): Verdict {
  if ('error' in derived) return judgeError(derived.error);
  if (ERRORS.includes(one.folder)) return { outcome: 'differs', reason: 'it should be an error' };
  const reason =
    silentlyEmpty(derived.schema, Object.values(one.sources)) ??
    compareSchemas(one.expected, derived.schema, seed);
  if (reason === undefined) return { outcome: 'agrees' };
  const quirk = QUIRKS[one.corpus]?.includes(one.folder) ?? false;
  return { outcome: quirk ? 'quirk' : 'differs', reason };
}

/** An error has to follow from a rule and to name the method, and the parameter and the type or the tag. */
function judgeError(error: string): Verdict {
  const named =
    error.startsWith(`Parameter "${PARAMETER}" of ${CLASS}.${METHOD}`) && / has the type ".+" \(/.test(error);
  const isOfTag = error.startsWith(`The schema derived for ${CLASS}.${METHOD}`);
  const demanded =
    (named && RULES.some((rule) => error.includes(`: ${rule} `))) ||
    (isOfTag && TAG_RULES.some((rule) => error.includes(rule)));
  return { outcome: demanded ? 'error as demanded' : 'differs', reason: shortened(error) };
}

/** Without the place, which is in a temporary folder. */
function shortened(error: string): string {
  return error
    .replace(/ \([^()]*:\d+\)/g, '')
    .replace(`Parameter "${PARAMETER}" of ${CLASS}.${METHOD}`, 'parameter');
}
