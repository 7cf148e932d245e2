import { GeminiFailedError, GeminiKeyRefusedError, GeminiModelNotFoundError } from '../errors.js';

/**
 * True if a request that named a cache may have failed because of it: a cache that is gone is told in several words and
 * statuses. The same request without a cache shows.
 */
export function isRefusalOfCache(error: unknown): boolean {
  if (error instanceof GeminiFailedError) return error.status === 400;
  return error instanceof GeminiKeyRefusedError || error instanceof GeminiModelNotFoundError;
}
