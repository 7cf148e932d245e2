/**
 * Loaded by core in development, by path, when records are missing. Finds sources and keeps the cache, in the user's
 * process; the compiler itself runs in a separate process (`derive.ts`).
 */
import type { OnDemandEntry, RecordRequest } from '@adorn/core/compiler';

import { deriveRecords } from './on-demand/derive-records.js';
import { compilerOf } from './on-demand/run-compiler.js';

export const answerOnDemand: OnDemandEntry['answerOnDemand'] = async (requests) =>
  JSON.stringify(await deriveRecords(JSON.parse(requests) as RecordRequest[], compilerOf(import.meta.url)));
