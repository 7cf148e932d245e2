import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Model, type Logger, type ModelRequest, type ModelResponse } from '@adorn/core';
import {
  describeThrown,
  kindOf,
  optionFault,
  type OptionRules,
  type ProviderToolKind,
  rule,
} from '@adorn/core/backend';

import { Cassette, type Exchange, type RecordedFailure, type RecordedResponse } from './cassette.js';
import {
  CassetteLeftOverError,
  CassetteMissError,
  RecordedFailureError,
  RecordingOptionError,
} from './errors.js';
import { differenceToNearest } from './miss.js';
import { recordedRequest, type RecordedRequest } from './recorded-request.js';
import { everyMatch, secretRemover } from './secrets.js';

/**
 * Where answers come from: `replay` from the cassette only, `record` from the cassette and else from the model, `refresh`
 * always from the model, and the cassette is written anew.
 */
export type RecordingMode = 'replay' | 'record' | 'refresh';

/** The options of `recorded`. */
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

const RULES: OptionRules<RecordingOptions> = {
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
};

/**
 * A model whose answers are recorded in a file, its cassette, and replayed from it: with their pieces, their failures and
 * their usage. Replaying needs no network and no key, and gives the same bytes each time.
 *
 * An answer is found by its request: the name of the model, the settings, the declarations and the contents, without ids,
 * times and secrets. Equal requests get the recorded answers one after another. What is not recorded is an error with the
 * difference to the nearest recorded request; only the modes `record` and `refresh` call the model.
 *
 * @param model the model to record
 * @param file the path or file URL of the cassette; it and its folder are made when something is recorded. One per test:
 * two runs at the same time must not record the same file
 * @throws {RecordingOptionError} for an option that is not valid
 * @throws {CassetteInvalidError} for a file that is not a cassette
 *
 * @example
 * const model = recorded(new GeminiModel(), new URL('./refund.cassette.json', import.meta.url));
 * await using runner = await createRunner(Support, { model });
 */
export function recorded(model: Model, file: string | URL, options: RecordingOptions = {}): RecordedModel {
  return new RecordedModel(model, file, options);
}

/** See `recorded`. */
export class RecordedModel extends Model {
  /** Where the answers of this model come from. */
  readonly mode: RecordingMode;
  /** The path of the cassette. */
  readonly path: string;
  private readonly cassette: Cassette;
  private readonly clean: (text: string) => string;
  private readonly withoutSecrets: (text: string) => string;
  private readonly pace: RecordingOptions['pace'];
  /** The exchanges that were asked for. */
  private readonly played = new Set<number>();

  constructor(
    private readonly model: Model,
    file: string | URL,
    options: RecordingOptions = {},
  ) {
    super();
    if (!(model instanceof Model)) {
      throw new RecordingOptionError(`its first argument is ${kindOf(model)}`, 'Pass a Model.');
    }
    const found = optionFault(options, RULES);
    if (found) throw new RecordingOptionError(found.fault, found.cure);
    this.path = pathOf(file);
    const cassette = Cassette.open(this.path);
    this.mode = options.mode ?? usualMode(cassette);
    this.cassette = this.mode === 'refresh' ? Cassette.empty(this.path) : cassette;
    this.withoutSecrets = secretRemover(options.secrets ?? []);
    const ignored = (options.ignore ?? []).map(everyMatch);
    this.clean = (text) =>
      ignored.reduce((rest, pattern) => rest.replaceAll(pattern, '<ignored>'), this.withoutSecrets(text));
    this.pace = options.pace ?? 'fast';
  }

  get name(): string {
    return this.model.name;
  }

  override get provider(): string {
    return this.model.provider;
  }

  override get contextWindow(): number | undefined {
    return this.model.contextWindow;
  }

  override get supportsSchemaBesideTools(): boolean {
    return this.model.supportsSchemaBesideTools;
  }

  override supportsProviderTool(kind: ProviderToolKind): boolean {
    return this.model.supportsProviderTool(kind);
  }

  override get supportsFunctionsBesideProviderTools(): boolean {
    return this.model.supportsFunctionsBesideProviderTools;
  }

  /** A model that is replayed needs no key. */
  override async ready(logger?: Logger): Promise<void> {
    if (this.mode !== 'replay') await this.model.ready(logger);
  }

  async *generate(request: ModelRequest): AsyncGenerator<ModelResponse, void, undefined> {
    const asked = recordedRequest(this.name, request, this.clean);
    const places = this.cassette.placesOf(asked);
    const next = places.find((place) => !this.played.has(place));
    const exchange = next === undefined || this.mode === 'refresh' ? undefined : this.cassette.at(next);
    if (exchange && next !== undefined) {
      this.played.add(next);
      yield* this.replay(exchange, request);
    } else if (this.mode === 'replay') {
      const difference = places.length > 0 ? '' : differenceToNearest(asked, this.cassette.requests);
      throw new CassetteMissError(this.path, places.length, difference);
    } else {
      yield* this.record(asked, request);
    }
  }

  /** @throws {CassetteLeftOverError} if there are exchanges that were not asked for */
  assertDone(): void {
    const all = [...this.cassette.requests.keys()];
    const left = all.filter((place) => !this.played.has(place));
    if (left.length > 0) throw new CassetteLeftOverError(this.path, left, all.length);
  }

  private async *replay(
    { answer, failure }: Exchange,
    { signal, stream }: ModelRequest,
  ): AsyncGenerator<ModelResponse, void, undefined> {
    for (const { after, response } of answer) {
      if (this.pace === 'recorded' && after > 0) await setTimeout(after, undefined, { signal });
      signal.throwIfAborted();
      if (stream || response.partial !== true) yield structuredClone(response);
    }
    if (failure) throw new RecordedFailureError(failure);
  }

  /** Asks the model. An answer that was cancelled, or of which nobody read the end, is not recorded. */
  private async *record(
    asked: RecordedRequest,
    request: ModelRequest,
  ): AsyncGenerator<ModelResponse, void, undefined> {
    const answer: RecordedResponse[] = [];
    let last = performance.now();
    try {
      for await (const response of this.model.generate(request)) {
        const now = performance.now();
        answer.push({ after: Math.round(now - last), response: this.redacted(response) });
        last = now;
        yield response;
      }
    } catch (error) {
      if (!request.signal.aborted) this.keep({ request: asked, answer, failure: this.failureOf(error) });
      throw error;
    }
    this.keep({ request: asked, answer });
  }

  private keep(exchange: Exchange): void {
    this.played.add(this.cassette.add(exchange));
  }

  private redacted(response: ModelResponse): ModelResponse {
    const withoutSecrets = (name: string, value: unknown): unknown =>
      typeof value === 'string' && !OPAQUE.has(name) ? this.withoutSecrets(value) : value;
    return JSON.parse(JSON.stringify(response, withoutSecrets)) as ModelResponse;
  }

  private failureOf(error: unknown): RecordedFailure {
    const { name, message, code } = describeThrown(error);
    const facts = Object.entries(Object(error) as Readonly<Record<string, unknown>>).filter(
      (fact): fact is [string, string | number | boolean] =>
        !NAMED.has(fact[0]) && ['string', 'number', 'boolean'].includes(typeof fact[1]),
    );
    const known = facts.map(
      ([fact, value]) => [fact, typeof value === 'string' ? this.withoutSecrets(value) : value] as const,
    );
    return {
      name,
      ...(code !== undefined && { code }),
      message: this.withoutSecrets(message),
      ...(known.length > 0 && { facts: Object.fromEntries(known) }),
    };
  }
}

/** Fields with bytes, in which nothing may be replaced. */
const OPAQUE: ReadonlySet<string> = new Set(['data', 'thoughtSignature']);

/** What a failure states by itself. */
const NAMED: ReadonlySet<string> = new Set(['name', 'code', 'message', 'stack']);

function pathOf(file: unknown): string {
  if (file instanceof URL && file.protocol === 'file:') return fileURLToPath(file);
  if (typeof file === 'string' && file !== '') return file;
  throw new RecordingOptionError(
    `its file is ${file instanceof URL ? file.href : kindOf(file)}`,
    "Pass a path or a file URL, such as new URL('./refund.cassette.json', import.meta.url).",
  );
}

/** What the environment asks for; a machine of CI, and a cassette that is there, are replayed. */
function usualMode(cassette: Cassette): RecordingMode {
  const { ADORN_RECORD: asked = '', CI: ci = '' } = process.env;
  if (MODES.includes(asked as RecordingMode)) return asked as RecordingMode;
  if (asked !== '') {
    throw new RecordingOptionError(`ADORN_RECORD is "${asked}"`, 'Set it to replay, record or refresh.');
  }
  return cassette.size > 0 || !['', '0', 'false'].includes(ci) ? 'replay' : 'record';
}
