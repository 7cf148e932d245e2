import type { Part } from '@adorn/core';

import { isJsonObject } from './is-json-object.js';
import type { ProviderMetadata } from './request/call-options.js';

/** The field of `partMetadata` that holds what a provider of the AI SDK said about a part. */
const FIELD = 'aiSdk';

/** The field that names the maker of the part. */
const MAKER_FIELD = 'aiSdkMaker';

/** A model whose answers a part belongs to. */
export interface PartMaker {
  /** The vendor and the family of the model, such as `anthropic claude`. */
  readonly name: string;
  /** The vendor's key in metadata. */
  readonly metadataName: string;
}

/**
 * The maker of a model's parts. Only models of the same vendor and family understand them: gateways offer models of
 * many vendors.
 */
export function makerOf(
  { provider, modelId }: { readonly provider: string; readonly modelId: string },
  metadataName: string,
): PartMaker {
  const [vendor = ''] = provider.split('.');
  // `us.anthropic.claude-…` and `accounts/fireworks/models/deepseek-v3` name hosts first.
  const model = (modelId.split('/').at(-1) ?? '').replace(/^(?:[a-z][a-z-]*\.)+/i, '');
  const family = /^[a-z]+/i.exec(model)?.[0].toLowerCase() ?? model;
  return { name: `${vendor} ${family}`, metadataName };
}

/** Keeps the metadata of a provider with a part, such as the signature of a thought. */
export function withMetadata(part: Part, metadata: ProviderMetadata | undefined): Part {
  return metadata ? { ...part, partMetadata: { [FIELD]: metadata } } : part;
}

/** Names the maker of a part that has metadata. */
export function withMaker(part: Part, { name }: PartMaker): Part {
  if (!part.partMetadata) return part;
  return { ...part, partMetadata: { ...part.partMetadata, [MAKER_FIELD]: name } };
}

/** The metadata of a part of this maker; undefined for a part of another model. Empty if the provider gave none. */
export function metadataOf({ partMetadata }: Part, maker: PartMaker): ProviderMetadata | undefined {
  const metadata = partMetadata?.[FIELD];
  if (!isJsonObject(metadata)) return undefined;
  const made = partMetadata?.[MAKER_FIELD];
  // Version 0.1 stored no maker: metadata then bears the name of its vendor.
  const isOwn = made === undefined ? maker.metadataName in metadata : made === maker.name;
  return isOwn ? (metadata as ProviderMetadata) : undefined;
}

/** `providerOptions` of a part of a prompt. */
export function optionsOf(part: Part, maker: PartMaker): { readonly providerOptions?: ProviderMetadata } {
  const metadata = metadataOf(part, maker);
  return !metadata || Object.keys(metadata).length === 0 ? {} : { providerOptions: metadata };
}
