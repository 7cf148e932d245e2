import type { LiveEvent, LiveSetup } from '@adorn/core/backend';
import { LiveConnection, LiveModel } from '@adorn/core/backend';
import { ScriptedLive } from '@adorn/testing';

/** A live model that only notes when speech arrives: what it takes is not the provider's. */
export class WireModel extends LiveModel {
  readonly name = 'wire';
  readonly capabilities = new ScriptedLive().capabilities;
  connection: WireConnection | undefined;

  /** @param heard called with each frame of the user, when it is sent */
  constructor(private readonly heard: () => void) {
    super();
  }

  override connect(_setup: LiveSetup): Promise<LiveConnection> {
    this.connection = new WireConnection(this.heard);
    return Promise.resolve(this.connection);
  }
}

export class WireConnection extends LiveConnection {
  readonly bufferedBytes = 0;

  constructor(private readonly heard: () => void) {
    super();
  }

  emit(...events: readonly LiveEvent[]): void {
    for (const event of events) this.report(event);
  }

  override sendAudio(): void {
    this.heard();
  }

  override close(): void {
    this.report({ kind: 'closed', clean: true });
  }

  override sendContents(): void {
    // Nothing is looked at but speech.
  }
  override endAudio(): void {
    // Nothing is looked at but speech.
  }
  override sendVideo(): void {
    // Nothing is looked at but speech.
  }
  override sendActivity(): void {
    // Nothing is looked at but speech.
  }
  override sendToolResponses(): void {
    // Nothing is looked at but speech.
  }
  override interrupt(): void {
    // Nothing is looked at but speech.
  }
  override update(): void {
    // Nothing is looked at but speech.
  }
}
