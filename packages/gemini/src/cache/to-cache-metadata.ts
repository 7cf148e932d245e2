import type { CacheMetadata } from '@adorn/core/backend';

import type { NamedCache } from './context-cache.js';

/** What the event of an answer says of the cache of its request. */
export function toCacheMetadata(cache: NamedCache): CacheMetadata {
  const { name, fingerprint, contents, createTime, expireTime, uses } = cache;
  return {
    cacheName: name,
    fingerprint,
    contentsCount: contents,
    invocationsUsed: uses,
    createdAt: createTime / 1000,
    expireTime: expireTime / 1000,
  };
}
