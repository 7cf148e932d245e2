import type { JsonObject } from '@adorn/core/dialects';

/** Metadata of providers, by the provider's name. */
export type ProviderMetadata = Readonly<Record<string, JsonObject>>;

/** The options of one call, in the common shape of the specifications. */
export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly stopSequences?: string[];
  readonly topP?: number;
  readonly topK?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  /** Of v4 only. */
  readonly reasoning?: 'none' | 'minimal' | 'low' | 'medium' | 'high';
  readonly responseFormat?: ResponseFormat;
  readonly tools?: readonly PromptTool[];
  readonly toolChoice?: ToolChoice;
  readonly headers?: Readonly<Record<string, string>>;
  readonly providerOptions?: ProviderMetadata;
  readonly abortSignal?: AbortSignal;
}

export type ResponseFormat =
  { readonly type: 'text' } | { readonly type: 'json'; readonly schema?: JsonObject; readonly name?: string };

export type ToolChoice =
  { readonly type: 'auto' | 'none' | 'required' } | { readonly type: 'tool'; readonly toolName: string };

export type PromptTool =
  | {
      readonly type: 'function';
      readonly providerOptions?: ProviderMetadata;
      readonly name: string;
      readonly description?: string;
      readonly inputSchema: JsonObject;
      readonly strict?: boolean;
    }
  | {
      /** `provider-defined` in v2. */
      readonly type: 'provider' | 'provider-defined';
      readonly id: string;
      readonly name: string;
      readonly args: JsonObject;
    };

export type PromptMessage = { readonly providerOptions?: ProviderMetadata } & (
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly PromptPart[] }
);

export type PromptPart = { readonly providerOptions?: ProviderMetadata } & (
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | FilePart
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerExecuted?: boolean;
    }
  | {
      readonly type: 'tool-result';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: ToolOutput;
    }
);

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly filename?: string;
  /** Base64 or a URL; in v4 an object with one of them. */
  readonly data: string | URL | TaggedData;
}

/** The data of a file in v4. */
export type TaggedData =
  { readonly type: 'data'; readonly data: string } | { readonly type: 'url'; readonly url: URL };

export type ToolOutput =
  | { readonly type: 'json' | 'error-json'; readonly value: unknown }
  | { readonly type: 'content'; readonly value: readonly JsonObject[] };
