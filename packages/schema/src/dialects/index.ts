import type { JsonSchema } from '../reader/schema-parts.js';
import type { ReportLoss } from './conversion/keywords.js';
import { toGeminiSchema } from './gemini-schema.js';
import { toStrictSchema } from './strict-schema.js';

export type { JsonSchema as JsonObject } from '../reader/schema-parts.js';
export { type Loss, type LossOutcome, type ReportLoss, rulesOf } from './conversion/keywords.js';
export { toGeminiSchema } from './gemini-schema.js';
export { toStrictSchema, withoutStrictNulls } from './strict-schema.js';

/** The subset of JSON Schema that a model provider supports. */
export interface Dialect {
  /** Its name on a command line. */
  readonly name: string;
  /** Its display name. */
  readonly title: string;
  /**
   * The schema in this dialect; undefined where it cannot be expressed.
   *
   * @param report is told of everything that is not expressed, and where it went
   */
  convert(schema: JsonSchema, report?: ReportLoss): JsonSchema | undefined;
}

/** All supported dialects. Derived schemas are JSON Schema already. */
export const DIALECTS: readonly Dialect[] = [
  { name: 'gemini', title: "Gemini's subset", convert: toGeminiSchema },
  { name: 'openai', title: "OpenAI's strict mode", convert: toStrictSchema },
  { name: 'json-schema', title: 'JSON Schema', convert: (schema) => schema },
];
