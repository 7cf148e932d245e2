import type { Logger } from '@adorn/core';
import {
  kindOf,
  type LiveCapabilities,
  type LiveConnection,
  type LiveConnectOptions,
  LiveModel,
  type LiveSetup,
} from '@adorn/core/backend';

import { CassetteMissError, RecordedFailureError, RecordingOptionError } from '../errors.js';
import { differenceToNearest } from '../miss.js';
import { PlayedPlaces } from '../played-places.js';
import { recordedFailure } from '../recorded-failure.js';
import { Canonical, type RecordedRequest } from '../recorded-request.js';
import {
  cassettePath,
  checkRecordingOptions,
  type Cleaning,
  cleaningOf,
  recordingMode,
  type RecordingMode,
  type RecordingOptions,
} from '../recording-options.js';
import { LiveCassette, type RecordedConnection } from './live-cassette.js';
import { recordedSetup, SentFrames } from './live-frame.js';
import { RecordingConnection } from './recording-connection.js';
import { ReplayedConnection } from './replayed-connection.js';

/**
 * A live model whose connections are recorded in a file, its cassette, and replayed from it, with everything that both sides
 * said and when.
 *
 * A connection is found by its setup: the name of the model, the instruction, the declarations and the history. An event is
 * replayed when the session has sent again what it had sent before it: the same texts and responses to calls, and as much
 * speech. A text or a response that is not recorded ends the connection with `CASSETTE_MISS` and the difference.
 *
 * @param model the live model to record
 * @param file as for `recorded`. A connection is written when it has closed
 * @throws {RecordingOptionError} for an option that is not valid
 * @throws {CassetteInvalidError} for a file that is not a cassette of a live model
 *
 * @example
 * const model = recordedLive(new GeminiLiveModel(), new URL('./call.cassette.json', import.meta.url));
 * await using live = runner.live({ userId: 'ada', model });
 */
export function recordedLive(
  model: LiveModel,
  file: string | URL,
  options: RecordingOptions = {},
): RecordedLiveModel {
  return new RecordedLiveModel(model, file, options);
}

/** See `recordedLive`. */
export class RecordedLiveModel extends LiveModel {
  /** Where the connections of this model come from. */
  readonly mode: RecordingMode;
  /** The path of the cassette. */
  readonly path: string;
  private readonly cassette: LiveCassette;
  private readonly cleaning: Cleaning;
  private readonly pace: 'fast' | 'recorded';
  /** The places of the connections that were asked for. */
  private readonly played = new PlayedPlaces();
  private readonly replayed = new Map<number, ReplayedConnection>();

  constructor(
    private readonly model: LiveModel,
    file: string | URL,
    options: RecordingOptions = {},
  ) {
    super();
    if (!(model instanceof LiveModel)) {
      const cure = 'Pass a LiveModel, such as new GeminiLiveModel().';
      throw new RecordingOptionError('recordedLive', `its first argument is ${kindOf(model)}`, cure);
    }
    checkRecordingOptions('recordedLive', options);
    this.path = cassettePath('recordedLive', file);
    const cassette = LiveCassette.open(this.path);
    this.mode = recordingMode('recordedLive', options, cassette.connections.length > 0);
    this.cassette = this.mode === 'refresh' ? LiveCassette.empty(this.path) : cassette;
    this.cleaning = cleaningOf(options);
    this.pace = options.pace ?? 'fast';
  }

  get name(): string {
    return this.model.name;
  }

  override get provider(): string {
    return this.model.provider;
  }

  get capabilities(): LiveCapabilities {
    return this.model.capabilities;
  }

  /** A model that is replayed needs no key. */
  override async ready(logger?: Logger): Promise<void> {
    if (this.mode !== 'replay') await this.model.ready(logger);
  }

  override async connect(setup: LiveSetup, options: LiveConnectOptions): Promise<LiveConnection> {
    options.signal.throwIfAborted();
    const canonical = new Canonical(this.cleaning.clean);
    const asked = recordedSetup(this.name, setup, canonical);
    const sent = new SentFrames(canonical);
    const places = this.mode === 'refresh' ? [] : this.cassette.placesOf(asked);
    const next = this.played.take(places);
    const found = next === undefined ? undefined : this.cassette.connections[next];
    if (found && next !== undefined) {
      if (found.failure) throw new RecordedFailureError(found.failure);
      const connection = new ReplayedConnection(found.frames, sent, this.path, this.pace);
      this.replayed.set(next, connection);
      options.signal.addEventListener('abort', () => {
        connection.close();
      });
      return connection;
    }
    if (this.mode !== 'replay') return this.record(asked, sent, { setup, options });
    const setups = this.cassette.connections.map((one) => one.setup);
    const difference = places.length > 0 ? '' : differenceToNearest(asked, setups);
    throw new CassetteMissError(this.path, places.length, difference);
  }

  /** @throws {CassetteLeftOverError} if there are connections that were not asked for, or not played to their end */
  assertDone(): void {
    const isDone = (place: number): boolean => this.replayed.get(place)?.isDone !== false;
    this.played.requireAll(this.path, this.cassette.connections.length, isDone);
  }

  private async record(
    asked: RecordedRequest,
    sent: SentFrames,
    { setup, options }: { readonly setup: LiveSetup; readonly options: LiveConnectOptions },
  ): Promise<LiveConnection> {
    try {
      const connection = await this.model.connect(setup, options);
      return new RecordingConnection(connection, sent, this.cleaning, (frames) => {
        this.keep({ setup: asked, frames });
      });
    } catch (error) {
      if (!options.signal.aborted) {
        this.keep({ setup: asked, frames: [], failure: recordedFailure(error, this.cleaning) });
      }
      throw error;
    }
  }

  private keep(connection: RecordedConnection): void {
    this.played.note(this.cassette.add(connection));
  }
}
