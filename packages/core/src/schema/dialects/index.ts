export type { JsonSchema as JsonObject } from '../json-schema.js';
export type { Loss, LossOutcome, ReportLoss } from './conversion/loss.js';
export { rulesOf } from './conversion/keywords.js';
export { type Dialect, DIALECTS } from './dialects.js';
export { toGeminiSchema } from './gemini-schema.js';
export { toStrictSchema, withoutStrictNulls } from './strict-schema.js';
