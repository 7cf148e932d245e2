import { kindOf } from '@adorn/core/backend';

import { readCassette, writeCassette } from '../cassette-file.js';
import { CassetteInvalidError, CassetteMissError, RecordingOptionError } from '../errors.js';
import { differenceToNearest } from '../miss.js';
import { PlayedPlaces } from '../played-places.js';
import { recordedFailure } from '../recorded-failure.js';
import { type RecordedRequest, requestKey } from '../recorded-request.js';
import {
  cassettePath,
  checkRecordingOptions,
  cleaningOf,
  recordingMode,
  type RecordingMode,
  type RecordingOptions,
} from '../recording-options.js';
import {
  type HttpExchange,
  isHttpExchange,
  type RecordedAnswer,
  recordedAnswer,
  recordedHttpRequest,
  replayedResponse,
} from './recorded-exchange.js';

/** A `fetch` whose answers are recorded. */
export interface RecordedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Where its answers come from. */
  readonly mode: RecordingMode;
  /** The path of the cassette. */
  readonly path: string;
  /** @throws {CassetteLeftOverError} if there are answers that were not asked for */
  assertDone(): void;
}

/** The options of `recordedFetch`: those of `recorded`, without the pace. */
export type FetchRecordingOptions = Omit<RecordingOptions, 'pace'>;

/**
 * A `fetch` whose answers are recorded in a file, its cassette, and replayed from it: for services that take one, and for
 * `testRunner(Agent, { fetch })`.
 *
 * An answer is found by the method, the URL and the body. Headers of requests are not looked at and not written, nor are
 * cookies of answers.
 *
 * @param fetch asks the server where something is recorded
 * @param file as for `recorded`
 * @throws {RecordingOptionError} for an option that is not valid
 * @throws {CassetteInvalidError} for a file that is no cassette of a `fetch`
 *
 * @example
 * const shop = recordedFetch(fetch, new URL('./shop.cassette.json', import.meta.url));
 * await using runner = await testRunner(Desk, { model, fetch: shop });
 */
export function recordedFetch(
  fetch: (request: Request) => Promise<Response>,
  file: string | URL,
  options: FetchRecordingOptions = {},
): RecordedFetch {
  if (typeof fetch !== 'function') {
    throw new RecordingOptionError(
      'recordedFetch',
      `its first argument is ${kindOf(fetch)}`,
      'Pass a fetch.',
    );
  }
  checkRecordingOptions('recordedFetch', options);
  const path = cassettePath('recordedFetch', file);
  const stored = readExchanges(path);
  const mode = recordingMode('recordedFetch', options, stored.length > 0);
  const exchanges = mode === 'refresh' ? [] : stored;
  const cleaning = cleaningOf(options);
  const played = new PlayedPlaces();

  const askServer = async (request: Request): Promise<RecordedAnswer> =>
    recordedAnswer(await fetch(request), cleaning);
  const keep = (exchange: HttpExchange): void => {
    played.note(exchanges.push(exchange) - 1);
    writeCassette(path, { requests: exchanges });
  };
  const record = async (asked: RecordedRequest, request: Request): Promise<Response> => {
    const answer = await askServer(request).catch((error: unknown) => {
      if (!request.signal.aborted) keep({ request: asked, failure: recordedFailure(error, cleaning) });
      throw error;
    });
    keep({ request: asked, answer });
    return replayedResponse(answer);
  };
  const recorded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const asked = await recordedHttpRequest(request.clone(), cleaning);
    const key = requestKey(asked);
    const equal = [...exchanges.entries()].flatMap(([place, one]) =>
      requestKey(one.request) === key ? place : [],
    );
    const next = played.take(mode === 'refresh' ? [] : equal);
    const exchange = next === undefined ? undefined : exchanges[next];
    if (exchange) return answered(exchange);
    if (mode !== 'replay') return record(asked, request);
    const requests = exchanges.map((one) => one.request);
    const difference = equal.length > 0 ? '' : differenceToNearest(asked, requests);
    throw new CassetteMissError(path, equal.length, difference);
  };
  const assertDone = (): void => {
    played.requireAll(path, exchanges.length);
  };
  return Object.assign(recorded, { mode, path, assertDone });
}

function readExchanges(path: string): HttpExchange[] {
  return readCassette(path, 'requests').map((one, index) => {
    if (!isHttpExchange(one))
      throw new CassetteInvalidError(path, `request ${String(index)} has neither an answer nor a failure`);
    return one;
  });
}

/** Throws like `fetch` where the server was not reached. */
function answered({ answer, failure }: HttpExchange): Response {
  if (answer) return replayedResponse(answer);
  throw Object.assign(new TypeError(failure?.message), failure?.facts);
}
