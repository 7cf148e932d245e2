import { jest } from '@jest/globals';

import { LiveConnection } from './live-connection.js';
import type { LiveEvent } from './live-event.js';

const CLOSED: LiveEvent = { kind: 'closed', clean: true };

class QuietConnection extends LiveConnection {
  readonly bufferedBytes = 0;
  readonly sendContents = ignore;
  readonly sendAudio = ignore;
  readonly endAudio = ignore;
  readonly sendVideo = ignore;
  readonly sendActivity = ignore;
  readonly sendToolResponses = ignore;
  readonly interrupt = ignore;
  readonly update = ignore;
  readonly close = jest.fn();
}

describe('LiveConnection', () => {
  async function readAll(connection: LiveConnection): Promise<LiveEvent[]> {
    const events: LiveEvent[] = [];
    for await (const event of connection) events.push(event);
    return events;
  }

  it('keeps what came before its reader, and drops what comes after the end', async () => {
    const connection = new QuietConnection();
    connection.report({ kind: 'turnComplete' });
    connection.report(CLOSED);
    connection.report({ kind: 'turnComplete' });

    expect(connection.isClosed).toBe(true);
    expect(await readAll(connection)).toEqual([{ kind: 'turnComplete' }, CLOSED]);
  });

  it('gives a reader that waits each event as it comes, and then the end', async () => {
    const connection = new QuietConnection();
    const reading = readAll(connection);
    await Promise.resolve();
    connection.report({ kind: 'interrupted' });
    connection.report(CLOSED);

    expect(await reading).toEqual([{ kind: 'interrupted' }, CLOSED]);
  });

  it('is closed by a reader that stops', async () => {
    const connection = new QuietConnection();

    expect(await connection[Symbol.asyncIterator]().return?.()).toEqual({ done: true, value: undefined });
    expect(connection.close).toHaveBeenCalledTimes(1);
  });
});

function ignore(): void {
  // Nothing is sent.
}
