import { AdornError } from '@adorn/core';

/** There is no connection to OpenAI: no key, a refused key, no network, silence, or an address that must not get the key. */
export class OpenAiRealtimeUnavailableError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  /**
   * @param what a clause, without its period and without secrets
   * @param cure a sentence
   */
  constructor(
    what: string,
    cure: string,
    readonly status?: number,
  ) {
    super(`OpenAI's Realtime API cannot be reached: ${what}. ${cure}`);
  }
}

/** OpenAI has no realtime model with that name, or not for this key. */
export class OpenAiRealtimeModelNotFoundError extends AdornError {
  readonly code = 'MODEL_NOT_FOUND';

  constructor(
    readonly model: string,
    said: string,
  ) {
    super(
      `OpenAI has no realtime model "${model}": ${said} ` +
        'Check the name against https://platform.openai.com/docs/models, such as gpt-realtime.',
    );
  }
}

/** OpenAI did not accept the settings of a connection. */
export class OpenAiRealtimeRefusedError extends AdornError {
  readonly code = 'MODEL_FAILED';

  constructor(
    readonly model: string,
    said: string,
  ) {
    super(
      `Model "${model}" refused the live connection: ${said} ` +
        'Check the voice, the modality, the tools and generateContentConfig of the agent.',
    );
  }
}
