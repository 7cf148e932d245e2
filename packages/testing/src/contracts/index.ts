export {
  type ArtifactContractOptions,
  describeArtifactService,
  type OptionalArtifactMethod,
} from './describe-artifact-service.js';
export { describeCredentialService } from './describe-credential-service.js';
export { describeEffectLedger } from './describe-effect-ledger.js';
export { describeMemoryService } from './describe-memory-service.js';
export { describeModel, type ModelContractOptions } from './describe-model.js';
export {
  describeSessionService,
  type OptionalSessionMethod,
  type SessionContractOptions,
} from './describe-session-service.js';
export { type TestRunner, useTestRunner } from './test-runner.js';
