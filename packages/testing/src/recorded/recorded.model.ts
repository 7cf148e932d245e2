import { Model, type Logger, type ModelRequest, type ModelResponse } from '@adorn/core';
import { kindOf, type ProviderToolKind } from '@adorn/core/backend';

import { Cassette, type Exchange, type RecordedResponse } from './cassette.js';
import { CassetteMissError, RecordingOptionError } from './errors.js';
import { differenceToNearest } from './miss.js';
import { PlayedPlaces } from './played-places.js';
import { recordedFailure } from './recorded-failure.js';
import { recordedRequest, type RecordedRequest } from './recorded-request.js';
import {
  cassettePath,
  checkRecordingOptions,
  type Cleaning,
  cleaningOf,
  recordingMode,
  type RecordingMode,
  type RecordingOptions,
  redacted,
} from './recording-options.js';
import { replayedAnswer } from './replayed-answer.js';

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
  private readonly cleaning: Cleaning;
  private readonly pace: RecordingOptions['pace'];
  /** The exchanges that were asked for. */
  private readonly played = new PlayedPlaces();

  constructor(
    private readonly model: Model,
    file: string | URL,
    options: RecordingOptions = {},
  ) {
    super();
    if (!(model instanceof Model)) {
      throw new RecordingOptionError('recorded', `its first argument is ${kindOf(model)}`, 'Pass a Model.');
    }
    checkRecordingOptions('recorded', options);
    this.path = cassettePath('recorded', file);
    const cassette = Cassette.open(this.path);
    this.mode = recordingMode('recorded', options, cassette.size > 0);
    this.cassette = this.mode === 'refresh' ? Cassette.empty(this.path) : cassette;
    this.cleaning = cleaningOf(options);
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
    const asked = recordedRequest(this.name, request, this.cleaning.clean);
    const places = this.cassette.placesOf(asked);
    const next = this.played.take(this.mode === 'refresh' ? [] : places);
    const exchange = next === undefined ? undefined : this.cassette.at(next);
    if (exchange) {
      yield* replayedAnswer(exchange, request, this.pace);
    } else if (this.mode === 'replay') {
      const difference = places.length > 0 ? '' : differenceToNearest(asked, this.cassette.requests);
      throw new CassetteMissError(this.path, places.length, difference);
    } else {
      yield* this.record(asked, request);
    }
  }

  /** @throws {CassetteLeftOverError} if there are exchanges that were not asked for */
  assertDone(): void {
    this.played.requireAll(this.path, this.cassette.requests.length);
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
        answer.push({ after: Math.round(now - last), response: redacted(response, this.cleaning) });
        last = now;
        yield response;
      }
    } catch (error) {
      if (!request.signal.aborted)
        this.keep({ request: asked, answer, failure: recordedFailure(error, this.cleaning) });
      throw error;
    }
    this.keep({ request: asked, answer });
  }

  private keep(exchange: Exchange): void {
    this.played.note(this.cassette.add(exchange));
  }
}
