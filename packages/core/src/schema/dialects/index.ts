export type { JsonObject } from './conversion/json-object.js';
export type { Loss, LossOutcome, ReportLoss } from './conversion/loss.js';
export { rulesOf } from './conversion/rules.js';
export { type Dialect, DIALECTS } from './dialects.js';
export { toGeminiSchema } from './gemini/gemini-schema.js';
export { withoutStrictNulls } from './openai/strict-nulls.js';
export { toStrictSchema } from './openai/strict-schema.js';
