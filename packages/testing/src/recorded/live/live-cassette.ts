import { isObject } from '@adorn/core/backend';

import { isFailure, type RecordedFailure } from '../cassette.js';
import { readCassette, writeCassette } from '../cassette-file.js';
import { CassetteInvalidError } from '../errors.js';
import { type RecordedRequest, requestKey } from '../recorded-request.js';
import { isLiveFrame, type LiveFrame } from './live-frame.js';

/** A connection to a live model, and all that passed on it; or why it was not opened. */
export interface RecordedConnection {
  readonly setup: RecordedRequest;
  readonly frames: readonly LiveFrame[];
  readonly failure?: RecordedFailure;
}

/** Recorded connections, in a JSON file. */
export class LiveCassette {
  private constructor(
    private readonly path: string,
    private readonly recorded: RecordedConnection[],
  ) {}

  /** The cassette of a file; an empty one if there is none. @throws {CassetteInvalidError} */
  static open(path: string): LiveCassette {
    const connections = readCassette(path, 'connections').map((one, index) => {
      if (!isConnection(one))
        throw new CassetteInvalidError(path, `connection ${String(index)} has no setup or no frames`);
      return one;
    });
    return new LiveCassette(path, connections);
  }

  /** A cassette without connections, which replaces the file when the first one is added. */
  static empty(path: string): LiveCassette {
    return new LiveCassette(path, []);
  }

  /** In the order in which they were opened. */
  get connections(): readonly RecordedConnection[] {
    return this.recorded;
  }

  /** Where the connections with an equal setup are. */
  placesOf(setup: RecordedRequest): readonly number[] {
    const asked = requestKey(setup);
    return this.recorded.flatMap((one, index) => (requestKey(one.setup) === asked ? [index] : []));
  }

  /** Adds a connection and writes the file. @returns its place */
  add(connection: RecordedConnection): number {
    this.recorded.push(connection);
    writeCassette(this.path, { connections: this.recorded });
    return this.recorded.length - 1;
  }
}

function isConnection(value: unknown): value is RecordedConnection {
  if (!isObject(value) || !isObject(value['setup']) || !Array.isArray(value['frames'])) return false;
  return value['frames'].every(isLiveFrame) && isFailure(value['failure']);
}
