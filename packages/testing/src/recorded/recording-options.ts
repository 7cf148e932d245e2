import { fileURLToPath } from 'node:url';

import { kindOf, optionFault, type OptionRules, rule } from '@adorn/core/backend';

import { RecordingOptionError } from './errors.js';
import { everyMatch, secretRemover } from './secrets.js';

/**
 * Where answers come from: `replay` from the cassette only, `record` from the cassette and else from the model, `refresh`
 * always from the model, and the cassette is written anew.
 */
export type RecordingMode = 'replay' | 'record' | 'refresh';

/** The options of `recorded`, `recordedLive` and `recordedFetch`. */
export interface RecordingOptions {
  /**
   * Default: the environment variable `ADORN_RECORD`; without it `replay` where `CI` is set or the cassette exists, else
   * `record`.
   */
  readonly mode?: RecordingMode;
  /**
   * What is a secret: texts, and patterns of which every match is one. It is replaced before a request is looked up or
   * anything is written. Default: none beside those that are always found: values of environment variables that are named
   * like one (`…_KEY`, `…_TOKEN`, `…_SECRET`, `…_PASSWORD`), and the published forms of keys.
   */
  readonly secrets?: readonly (string | RegExp)[];
  /** What changes from run to run in a request beside ids and times, such as `/\d{4}-\d\d-\d\d/` for dates. Default: none. */
  readonly ignore?: readonly RegExp[];
  /** `recorded`: responses come as fast as they did. Default: `fast`, at once. */
  readonly pace?: 'fast' | 'recorded';
}

const MODES: readonly RecordingMode[] = ['replay', 'record', 'refresh'];

/** What the values of the options may be. */
export const RECORDING_RULES = {
  mode: rule((value) => MODES.includes(value as RecordingMode), "Pass 'replay', 'record' or 'refresh'."),
  secrets: rule(
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' || one instanceof RegExp),
    'Pass a list of texts and regular expressions.',
  ),
  ignore: rule(
    (value) => Array.isArray(value) && value.every((one) => one instanceof RegExp),
    'Pass a list of regular expressions.',
  ),
  pace: rule((value) => value === 'fast' || value === 'recorded', "Pass 'fast' or 'recorded'."),
} satisfies OptionRules<RecordingOptions>;

/** @throws {RecordingOptionError} */
export function checkRecordingOptions(owner: string, options: RecordingOptions): void {
  const found = optionFault(options, RECORDING_RULES);
  if (found) throw new RecordingOptionError(owner, found.fault, found.cure);
}

/** @throws {RecordingOptionError} for what is neither a path nor a file URL */
export function cassettePath(owner: string, file: unknown): string {
  if (file instanceof URL && file.protocol === 'file:') return fileURLToPath(file);
  if (typeof file === 'string' && file !== '') return file;
  throw new RecordingOptionError(
    owner,
    `its file is ${file instanceof URL ? file.href : kindOf(file)}`,
    "Pass a path or a file URL, such as new URL('./refund.cassette.json', import.meta.url).",
  );
}

/**
 * What the options ask for, or else the environment; a machine of CI, and a cassette that is there, are replayed.
 *
 * @param isRecorded true if the cassette holds something
 * @throws {RecordingOptionError}
 */
export function recordingMode(owner: string, { mode }: RecordingOptions, isRecorded: boolean): RecordingMode {
  if (mode !== undefined) return mode;
  const { ADORN_RECORD: asked = '', CI: ci = '' } = process.env;
  if (MODES.includes(asked as RecordingMode)) return asked as RecordingMode;
  if (asked !== '') {
    throw new RecordingOptionError(
      owner,
      `ADORN_RECORD is "${asked}"`,
      'Set it to replay, record or refresh.',
    );
  }
  return isRecorded || !['', '0', 'false'].includes(ci) ? 'replay' : 'record';
}

/** What is taken out of texts. */
export interface Cleaning {
  /** Takes out secrets, and what changes from run to run: for what is looked up. */
  readonly clean: (text: string) => string;
  /** Takes out secrets: for what is given back. */
  readonly withoutSecrets: (text: string) => string;
}

/** What the options say is taken out of texts. */
export function cleaningOf({ secrets = [], ignore = [] }: RecordingOptions): Cleaning {
  const withoutSecrets = secretRemover(secrets);
  const ignored = ignore.map(everyMatch);
  const clean = (text: string): string =>
    ignored.reduce((rest, pattern) => rest.replaceAll(pattern, '<ignored>'), withoutSecrets(text));
  return { clean, withoutSecrets };
}

/** Fields with bytes, in which nothing may be replaced. */
const OPAQUE: ReadonlySet<string> = new Set(['data', 'thoughtSignature']);

/** A copy of a JSON value without secrets. */
export function redacted<Value>(value: Value, { withoutSecrets }: Cleaning): Value {
  const replaced = (name: string, field: unknown): unknown =>
    typeof field === 'string' && !OPAQUE.has(name) ? withoutSecrets(field) : field;
  return JSON.parse(JSON.stringify(value, replaced)) as Value;
}
