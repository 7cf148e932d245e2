/**
 * When the beginning of requests is cached at Google: the system instruction, the tools and the earlier contents. A cache is
 * billed by its tokens and the time that it is kept, and requests are billed less for the tokens that it holds.
 */
export interface ContextCacheConfig {
  /** The tokens, by estimate, that a cache has at least. Google refuses caches under 1,024 to 4,096 tokens. Default: 4,096. */
  readonly minTokens?: number;
  /** How long Google keeps a cache, in seconds, from 60. A beginning is cached if it comes twice in this time. Default: 1,800. */
  readonly ttlSeconds?: number;
  /** After how many requests a conversation that has grown by `minTokens` gets a longer cache. Default: 10. */
  readonly cacheIntervals?: number;
}
