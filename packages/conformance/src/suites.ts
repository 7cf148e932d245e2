import { a2aConformance } from './a2a/a2a.conformance.js';
import { adkConformance } from './adk/adk.conformance.js';
import { bfclConformance } from './bfcl/bfcl.conformance.js';
import { codeConformance } from './code/code.conformance.js';
import { evalsConformance } from './evals/evals.conformance.js';
import { examplesConformance } from './examples/examples.conformance.js';
import { geminiConformance } from './gemini/gemini.conformance.js';
import { injectionConformance } from './injection/injection.conformance.js';
import { javaConformance } from './java/java.conformance.js';
import { jsonSchemaConformance } from './json-schema/json-schema.conformance.js';
import { liveMatrixConformance } from './live-matrix/live-matrix.conformance.js';
import { liveConformance } from './live/live.conformance.js';
import { mcpConformance } from './mcp/mcp.conformance.js';
import { modelsConformance } from './models/models.conformance.js';
import { openapiConformance } from './openapi/openapi.conformance.js';
import { otelConformance } from './otel/otel.conformance.js';
import { peersConformance } from './peers/peers.conformance.js';
import { agentsConformance, contractConformance } from './promises/promises.conformance.js';
import { recordedConformance } from './recorded/recorded.conformance.js';
import { storesConformance } from './stores/stores.conformance.js';
import type { Suite } from './suite.js';
import { tauConformance } from './tau/tau.conformance.js';
import { typesConformance } from './types/types.conformance.js';
import { uiStreamsConformance } from './ui-streams/ui-streams.conformance.js';
import { wireConformance } from './wire/wire.conformance.js';

/** Every suite, in the order in which all of them are run. */
export const SUITES: readonly Suite[] = [
  tauConformance,
  geminiConformance,
  typesConformance,
  bfclConformance,
  jsonSchemaConformance,
  openapiConformance,
  storesConformance,
  contractConformance,
  agentsConformance,
  mcpConformance,
  a2aConformance,
  adkConformance,
  javaConformance,
  modelsConformance,
  recordedConformance,
  liveConformance,
  liveMatrixConformance,
  wireConformance,
  otelConformance,
  uiStreamsConformance,
  codeConformance,
  evalsConformance,
  examplesConformance,
  injectionConformance,
  peersConformance,
];
