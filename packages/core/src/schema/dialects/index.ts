export type { JsonSchema as JsonObject } from '../reader/schema-parts.js';
export { type Loss, type LossOutcome, type ReportLoss, rulesOf } from './conversion/keywords.js';
export { type Dialect, DIALECTS } from './dialects.js';
export { toGeminiSchema } from './gemini-schema.js';
export { toStrictSchema, withoutStrictNulls } from './strict-schema.js';
