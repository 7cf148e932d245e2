import type { Logger, Model } from '@adorn/core';
import {
  type LiveCapabilities,
  type LiveConnectOptions,
  type LiveConnection,
  LiveModel,
  type LiveSetup,
} from '@adorn/core/backend';

import { TextLiveConnection } from './text-live-connection.js';

/** What a {@link TextLive} is told about speech. */
export interface TextLiveOptions {
  /**
   * What is said in the utterances that it hears, in their order. Default, and after the last one: an utterance is told
   * as `(1.2 s of speech)`.
   */
  readonly words?: readonly string[];
}

/**
 * A live model that a text model plays: a live conversation without a microphone and, with `OfflineModel`, without a
 * network. It answers by text, or with `modality: 'audio'` by transcripts without speech. Of speech it hears when somebody
 * speaks, not what is said. It sees no images.
 *
 * @example
 * const live = runner.live({ model: new TextLive(new OfflineModel()), modality: 'text' });
 */
export class TextLive extends LiveModel {
  readonly capabilities: LiveCapabilities = ABLE;
  private readonly words: string[];

  constructor(
    private readonly model: Model,
    { words = [] }: TextLiveOptions = {},
  ) {
    super();
    this.words = [...words];
  }

  get name(): string {
    return this.model.name;
  }

  override get provider(): string {
    return this.model.provider;
  }

  override async ready(logger?: Logger): Promise<void> {
    await this.model.ready(logger);
  }

  override async connect(setup: LiveSetup, { signal, logger }: LiveConnectOptions): Promise<LiveConnection> {
    signal.throwIfAborted();
    await this.model.ready(logger);
    return new TextLiveConnection(this.model, setup, { signal, logger, nextWords: () => this.words.shift() });
  }
}

const ABLE: LiveCapabilities = Object.freeze({
  modalities: ['audio', 'text'],
  inputs: ['text', 'audio', 'activity'],
  inputRate: 16_000,
  outputRate: 24_000,
  transcribes: ['input', 'output'],
  resumes: false,
  updates: true,
  asyncCalls: true,
  interrupts: true,
  voices: true,
  providerTools: ['googleSearch', 'codeExecution', 'urlContext'],
} as const);
