import type { Timing, WireNames } from '@adorn/core/backend';

import type { AiSdkRetryOptions } from './ai-sdk-options.js';
import type { CallOptions } from './request/call-options.js';
import type { AnswerForm } from './request/response-format.js';
import type { ProviderModel } from './specification.js';

/** Everything that one question to a model needs; all its attempts share it. */
export interface ProviderCall {
  readonly model: ProviderModel;
  /** Without the signal, which each attempt has of its own. */
  readonly options: CallOptions;
  readonly form: AnswerForm;
  /** The names of tools in the options. */
  readonly names: WireNames;
  readonly signal: AbortSignal;
  /** Milliseconds that an attempt may be silent. */
  readonly timeout: number;
  readonly retry: AiSdkRetryOptions;
  readonly timing: Timing;
  /** Told of what the provider ignored in the request. */
  readonly warn: (warnings: unknown) => void;
}
