import type { Part } from '@adorn/core';
import { isJsonObject } from './is-json-object.js';

import type { ProviderMetadata } from './request/call-options.js';

/** The field of `partMetadata` that holds what a provider of the AI SDK said about a part. */
const FIELD = 'aiSdk';

/**
 * Keeps the metadata of a provider with a part, such as the signature of a thought, so that the next request returns
 * it.
 */
export function withMetadata(part: Part, metadata: ProviderMetadata | undefined): Part {
  return metadata === undefined ? part : { ...part, partMetadata: { [FIELD]: metadata } };
}

/** The metadata of a part; undefined for a part of another kind of model. Empty if the provider gave none. */
export function metadataOf({ partMetadata }: Part): ProviderMetadata | undefined {
  const metadata = partMetadata?.[FIELD];
  return isJsonObject(metadata) ? (metadata as ProviderMetadata) : undefined;
}

/** `providerOptions` of a part of a prompt. */
export function optionsOf(part: Part): { readonly providerOptions?: ProviderMetadata } {
  const metadata = metadataOf(part);
  return metadata === undefined || Object.keys(metadata).length === 0 ? {} : { providerOptions: metadata };
}
