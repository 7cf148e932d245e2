import type { Content } from '@adorn/core';
import {
  LiveConnection,
  type LiveEvent,
  type LiveSetup,
  type LiveSetupChange,
  type LiveToolResponse,
} from '@adorn/core/backend';

import type { LiveSent } from './live-step.js';

/** A connection to a scripted live model. Tests read what was sent, and may report further events by `emit`. */
export class ScriptedLiveConnection extends LiveConnection {
  /** What the session has sent. */
  readonly sent: LiveSent[] = [];
  /** The number of unsent bytes that the connection reports. Set it in a test to have video dropped. */
  bufferedBytes = 0;
  private readonly listeners = new Set<(sent: LiveSent) => void>();

  constructor(
    /** The setup with which it was opened. */
    readonly setup: LiveSetup,
    signal: AbortSignal,
  ) {
    super();
    signal.addEventListener('abort', () => {
      this.close();
    });
  }

  /** The responses to calls that were sent, oldest first. */
  get responses(): LiveToolResponse[] {
    return this.sent.flatMap((sent) => (sent.kind === 'response' ? [sent.response] : []));
  }

  /** The texts that were sent for the model to answer. */
  get texts(): string[] {
    return this.sent.flatMap((sent) => (sent.kind === 'text' && sent.respond ? [sent.text] : []));
  }

  /** The texts that were sent without asking the model to answer. */
  get contexts(): string[] {
    return this.sent.flatMap((sent) => (sent.kind === 'text' && !sent.respond ? [sent.text] : []));
  }

  /** Reports events. Events after the end are dropped, as a closed socket reports none. */
  emit(...events: readonly LiveEvent[]): void {
    for (const event of events) this.report(event);
  }

  /** Resolves when something like this was sent, from now on, a number of times; or when the connection has closed. */
  untilSent(isMet: (sent: LiveSent) => boolean, times = 1): Promise<void> {
    return new Promise((resolve) => {
      let left = times;
      const listener = (sent: LiveSent): void => {
        if (sent.kind !== 'close' && (!isMet(sent) || --left > 0)) return;
        this.listeners.delete(listener);
        resolve();
      };
      this.listeners.add(listener);
    });
  }

  override sendContents(contents: readonly Content[], respond: boolean): void {
    const texts = contents.flatMap(({ parts = [] }) => parts.map(({ text = '' }) => text));
    this.send({ kind: 'text', text: texts.join('\n'), respond });
  }

  override sendAudio(chunk: Uint8Array): void {
    this.send({ kind: 'audio', data: chunk.slice() });
  }

  override endAudio(): void {
    this.send({ kind: 'endAudio' });
  }

  override sendVideo(frame: Uint8Array, mimeType: string): void {
    this.send({ kind: 'video', data: frame.slice(), mimeType });
  }

  override sendActivity(activity: 'start' | 'end'): void {
    this.send({ kind: 'activity', activity });
  }

  override sendToolResponses(responses: readonly LiveToolResponse[]): void {
    for (const response of responses) this.send({ kind: 'response', response });
  }

  override interrupt(playedMs: number): void {
    this.send({ kind: 'interrupt', playedMs });
  }

  override update({ instruction, tools }: LiveSetupChange): void {
    this.send({ kind: 'update', instruction, tools: namesOf(tools) });
  }

  override close(): void {
    if (this.isClosed) return;
    this.send({ kind: 'close' });
    this.report({ kind: 'closed', clean: true });
  }

  private send(sent: LiveSent): void {
    if (this.isClosed) return;
    this.sent.push(sent);
    for (const listener of [...this.listeners]) listener(sent);
  }
}

/** The names of declared functions. */
function namesOf(tools: LiveSetup['tools']): string[] {
  return tools.flatMap((tool) => {
    const declared = 'functionDeclarations' in tool ? tool.functionDeclarations : undefined;
    return (declared ?? []).map(({ name = '' }) => name);
  });
}
