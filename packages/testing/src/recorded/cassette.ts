import { canonicalJson, isObject } from '@adorn/core/backend';
import type { ModelResponse } from '@adorn/core';

import { readCassette, writeCassette } from './cassette-file.js';
import { CassetteInvalidError } from './errors.js';
import { type RecordedRequest, requestKey } from './recorded-request.js';
import type { Conversation } from './session/conversation.js';

/** One response of a recorded answer. */
export interface RecordedResponse {
  /** Milliseconds since the response before, or since the request. */
  readonly after: number;
  readonly response: ModelResponse;
}

/** What a model threw instead of an answer, or behind its first pieces. */
export interface RecordedFailure {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  /** The other fields of the error that are a text, a number or a boolean, such as `status`. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** A request, and what came of it. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly answer: readonly RecordedResponse[];
  readonly failure?: RecordedFailure;
}

/** An exchange in the file. */
interface StoredExchange {
  /** The number of the exchange, from 0, whose request this one repeats, except for what it states. */
  readonly continues?: number;
  /** Fields that differ, `null` for one that is gone, and `contents` that follow those that are continued. */
  readonly request: RecordedRequest;
  readonly answer: readonly RecordedResponse[];
  readonly failure?: RecordedFailure;
}

/** An exchange, and what is made of it once. */
interface Entry {
  readonly exchange: Exchange;
  readonly key: string;
  /** The canonical JSON of each content of the request. */
  readonly contents: readonly string[];
  readonly stored: StoredExchange;
}

/**
 * Recorded exchanges, in a JSON file that a person can review: a request states what is new in it, so that a conversation of
 * thirty turns is as long as its last request.
 */
export class Cassette {
  private readonly entries: Entry[] = [];

  private constructor(
    private readonly path: string,
    private readonly conversation?: Conversation,
  ) {}

  /** The cassette of a file; an empty one if there is none. @throws {CassetteInvalidError} */
  static open(path: string): Cassette {
    return Cassette.of(path, readExchanges(path));
  }

  /** A cassette of exchanges, which writes them to the file when one is added. */
  static of(path: string, exchanges: readonly Exchange[]): Cassette {
    const cassette = new Cassette(path);
    for (const exchange of exchanges) cassette.append(exchange);
    return cassette;
  }

  /**
   * A cassette without exchanges, which replaces the file when the first one is added.
   *
   * @param conversation what the exchanges are of, if it is known
   */
  static empty(path: string, conversation?: Conversation): Cassette {
    return new Cassette(path, conversation);
  }

  /** All exchanges, in the order in which they were recorded. */
  get exchanges(): readonly Exchange[] {
    return this.entries.map(({ exchange }) => exchange);
  }

  get size(): number {
    return this.entries.length;
  }

  /** The requests, in the order in which they were recorded. */
  get requests(): readonly RecordedRequest[] {
    return this.exchanges.map(({ request }) => request);
  }

  /** Where the exchanges of equal requests are, in the order in which they were recorded. */
  placesOf(request: RecordedRequest): readonly number[] {
    const asked = requestKey(request);
    return this.entries.flatMap(({ key }, index) => (key === asked ? [index] : []));
  }

  /** @param place one of `placesOf` */
  at(place: number): Exchange | undefined {
    return this.entries[place]?.exchange;
  }

  /** Adds an exchange and writes the file, which is replaced at once, never half written. @returns its place */
  add(exchange: Exchange): number {
    this.append(exchange);
    const { conversation } = this;
    const exchanges = this.entries.map(({ stored }) => stored);
    writeCassette(this.path, { ...(conversation && { conversation }), exchanges });
    return this.entries.length - 1;
  }

  private append(exchange: Exchange): void {
    const contents = contentsOf(exchange).map((content) => canonicalJson(content));
    const stored = this.toStored(exchange, this.longestBeginning(contents));
    this.entries.push({ exchange, key: requestKey(exchange.request), contents, stored });
  }

  /** The place of the exchange with the most contents that a request begins with. */
  private longestBeginning(contents: readonly string[]): number | undefined {
    let longest = 0;
    let place: number | undefined;
    for (const [index, { contents: start }] of this.entries.entries()) {
      if (start.length <= longest || !start.every((content, at) => content === contents[at])) continue;
      longest = start.length;
      place = index;
    }
    return place;
  }

  /** The exchange as the file states it. */
  private toStored(exchange: Exchange, continues: number | undefined): StoredExchange {
    const earlier = continues === undefined ? undefined : this.at(continues);
    if (continues === undefined || !earlier) return exchange;
    const { request, ...outcome } = exchange;
    const changed = Object.entries(request).filter(([name, value]) => !isSame(value, earlier.request[name]));
    const gone = Object.keys(earlier.request).filter((name) => !(name in request));
    const fields = {
      ...Object.fromEntries(gone.map((name) => [name, null])),
      ...Object.fromEntries(changed),
      contents: contentsOf(exchange).slice(contentsOf(earlier).length),
    };
    return { continues, request: fields, ...outcome };
  }
}

function readExchanges(path: string): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const one of readCassette(path, 'exchanges')) exchanges.push(fromStored(path, one, exchanges));
  return exchanges;
}

function fromStored(path: string, stored: unknown, before: readonly Exchange[]): Exchange {
  const where = `exchange ${String(before.length)}`;
  if (!isStored(stored)) throw new CassetteInvalidError(path, `${where} has no request or no answer`);
  const { continues, request, ...outcome } = stored;
  if (continues === undefined) return { request, ...outcome };
  const earlier = before[continues];
  if (!earlier) {
    throw new CassetteInvalidError(path, `${where} continues ${String(continues)}, which is not before it`);
  }
  const contents = [...contentsOf(earlier), ...contentsOf(stored)];
  const fields: RecordedRequest = { ...earlier.request, ...request, contents };
  return {
    request: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
    ...outcome,
  };
}

function isStored(value: unknown): value is StoredExchange {
  if (!isObject(value) || !isObject(value['request']) || !Array.isArray(value['answer'])) return false;
  const isAnswer = (value['answer'] as readonly unknown[]).every(
    (one) => isObject(one) && typeof one['after'] === 'number' && isObject(one['response']),
  );
  return isAnswer && isFailure(value['failure']);
}

/** True for a recorded failure, and for none. */
export function isFailure(value: unknown): boolean {
  return value === undefined || (isObject(value) && typeof value['message'] === 'string');
}

function contentsOf({ request }: Pick<Exchange, 'request'>): readonly unknown[] {
  const { contents } = request;
  return Array.isArray(contents) ? contents : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}
