export { EvidenceKeyInvalidError } from './evidence-key.js';
export { factsOfSession, type FoundFact } from './facts-of-session.js';
export {
  type EvidenceEnd,
  type EvidenceFact,
  type EvidenceHeader,
  type EvidenceLink,
  type EvidenceQuery,
  type EvidenceRow,
  withoutContents,
} from './evidence-row.js';
export { type EvidenceSource, exportEvidence, type ExportOptions } from './export-evidence.js';
export {
  type EvidenceFault,
  type EvidenceFaultKind,
  type EvidenceReport,
  verifyEvidence,
  type VerifyOptions,
} from './verify-evidence.js';
