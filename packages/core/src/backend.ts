/* eslint-disable max-lines -- a list of exports */
// Agents.
export { LlmAgentNode } from './agents/agent-nodes.js';
export {
  isAgentClass,
  type AgentOptions,
  type DefinedAgentClass,
  type DefinedAgentOptions,
  type OutputFor,
  type ToolSource,
} from './agents/agent.decorator.js';
export { AgentTool, type AgentToolOptions, AgentToolSource } from './agents/agent.tool.js';
export {
  type ClosedListing,
  type ClosedToolMaterials,
  ClosedToolSource,
} from './agents/closed-tool.source.js';
export { stemOf } from './stores/memory/stem-of.js';
export { ClosedTools, type OpenTools } from './tools/closed-tools.js';
export { type OpenPlace, OpenPlaces } from './tools/toolsets/open-places.js';
export { noteDerivedName, WorkflowAgent } from './agents/workflow/workflow.agent.js';
export type { AgentQuestion, QuestionAnswer } from './run/agent-question.js';
export type { AgentNode, TransferPolicy, AgentOutput } from './run/agent-node.js';
export { agentsIn, modelNamesIn } from './run/agent-node.js';
export { type AgentFailure, failureText } from './run/agent-result.js';
export type {
  AgentResults,
  InvokeAllOptions,
  InvokeOptions,
  SubAgent,
  OutputOfSubAgent,
} from './run/sub-agent.js';
export { instructionProvider, type InstructionValue } from './turn/instruction-template.js';
export { isOutputTool, readStructuredOutput, type StructuredOutput } from './turn/structured-output.js';
export type { Instruction, InstructionProvider, LlmSettings } from './turn/turn-agent.js';

// Tools.
export { Boundary } from './runtime/boundary.js';
export { type HeldPlace, SharedPlaces } from './runtime/shared-places.js';
export {
  type PolicyCall,
  type PolicyRun,
  type RetriedAttempt,
  scopeKey,
  ToolPolicies,
} from './tools/policies/policy.js';
export type { WrapperOptions } from './tools/policies/wrapped.tool.js';
export { ClassFields, fieldsDecorator } from './tools/class-fields.js';
export { refuseStandardCall } from './tools/tool.decorator.js';
export { CallableTool, type CallableOptions, type CallableShape } from './tools/callable.tool.js';
export type { BareFunction, ToolFunction, TypedToolFields, FieldArguments } from './tools/define-tool.js';
export type { ArgumentsOf, FunctionToolFields } from './tools/function.tool.js';
export type { AiSdkTool, AiSdkToolSet, AiSdkToolBase } from './tools/third-party/ai-sdk.tool.js';
export type { LangChainTool } from './tools/third-party/langchain.tool.js';
export {
  type Asked,
  type Confirmation,
  type ConfirmationPredicate,
  type InputRequest,
  type RequestedConfirmation,
  ToolPausedError,
} from './tools/tool-requests.js';
export { ToolConfigInvalidError } from './tools/errors.js';
export { longResultName } from './log/long-result.js';
export { attempt } from './tools/builtin/attempt.js';
export { dataContent } from './tools/builtin/data-content.js';
export type { RunsCode } from './tools/tool.js';
export { concealSecrets, withoutSentSecrets } from './tools/sent-secrets.js';
export { isToolName } from './tools/tool-table.js';
export { namesOthers, schedulingOf } from './tools/tool-traits.js';
export type {
  AnyMethod,
  InjectionToken,
  MethodDescriptor,
  MethodFor,
  NoStandardDecorator,
  OnceKey,
  ParamOptions,
  PredicateArguments,
  SchemaMethod,
  StandardDecoratorCall,
  ToolDecorator,
  ToolOptions,
  TypedOnceOptions,
  TypedToolOptions,
  MethodCure,
} from './tools/tool.decorator.js';
export type {
  BackgroundOptions,
  CacheOptions,
  CacheScope,
  ConcurrencyOptions,
  FormattedCall,
  LimitScope,
  OnceOptions,
  RateLimit,
  ResponseFormat,
  ResultScheduling,
  RetryOptions,
  ToolEffect,
  ToolTraits,
} from './tools/tool-traits.js';
export {
  isOffered,
  type ToolUi,
  type UiContext,
  type UiCsp,
  type UiPermission,
  type UiResource,
  type UiVisibility,
} from './tools/tool-ui.js';
export type { ListingOptions } from './tools/toolsets/listing.js';
export type { ToolboxOptions } from './tools/toolsets/toolbox.js';
export type { ToolFilter } from './tools/toolsets/wrapped.toolset.js';

// Contexts and state.
export { AgentContext, ModelNotAskedError, type ModelQuestion } from './run/agent-context.js';
export { type RequestedActions, type SaveArtifactOptions, sessionOf } from './run/callback-context.js';
export {
  GuardedLogger,
  type InvocationServices,
  type ContextKeeper,
  type LongRequest,
  type MeasuredRequest,
  type RunCompactor,
  type RunInProgress,
  type ServiceToken,
  type ServiceResolver,
} from './run/invocation-services.js';
export { ToolTimeoutError } from './tools/policies/errors.js';
export type { StandIns, StoodInCall } from './run/stand-ins.js';
export type { IsolatedOptions } from './runner/begin/isolated-runner.js';
export {
  applyKey,
  persistedDelta,
  userDelta,
  type ReadonlyState,
  scopeOf,
  type StateDelta,
  type StateScope,
  type StateLayers,
} from './events/state.js';

// Runs.
export { functionCallsOf, functionResponsesOf, toUserContent } from './events/content-parts.js';
export type { FunctionDeclaration, FunctionResponse } from './events/genai-types.js';
export { hasContent, isBlank } from './events/has-content.js';
export {
  type ContentFault,
  type OnContentFault,
  readContent,
  requireContents,
} from './events/read-content.js';
export {
  describeThrown,
  kindOf,
  type ThrownDescription,
  type AdornErrorCode,
  ERROR_CODES,
  type ClassReference,
  defineSlot,
  type MetadataSlot,
  readMetadata,
  readOwnMetadata,
  updateOwnMetadata,
  sourceName,
  decodeBase64,
  ForeignObject,
  UnexpectedShapeError,
  canonicalJson,
  frozenJson,
  isSameJson,
  isSecretName,
  LogRedaction,
  credentialsIn,
  withoutCredentials,
  composedKey,
  composedParts,
  assertName,
  assertScope,
  assertSessionKey,
  checkName,
  checkScope,
  checkSessionKey,
  MAX_NAME_BYTES,
  type NamedScope,
  shownName,
  type ArgumentCheck,
  type ArgumentCheckOptions,
  type Arguments,
  type CheckedArguments,
  ToolArgumentsInvalidError,
  compileArgumentCheck,
  type UnknownArguments,
  type JsonType,
  ANY,
  BOOLEAN,
  booleanOr,
  FUNCTION,
  invalidOption,
  LIMIT,
  LIST,
  OBJECT,
  oneOf,
  optionFault,
  type OptionRules,
  optionsOf,
  POSITIVE,
  required,
  rule,
  type Rule,
  secret,
  shown,
  TEXT,
  TEXTS,
  wholeFrom,
  checkOptions,
  OptionInvalidError,
  type OptionFault,
  optionNames,
  nearestNames,
  suggestName,
  unknownOption,
  areDisjoint,
  type DisjointOptions,
  SchemaDocument,
  valueAt,
  asSchema,
  branchesOf,
  definitionsOf,
  elementSchema,
  elementsOf,
  type ElementSchemas,
  isObject,
  literalsOf,
  patternsOf,
  propertiesOf,
  requiredOf,
  schemasIn,
  schemasWithin,
  statedTypes,
  subschemasOf,
  typeOf,
  type ExplicitSchema,
  type OutputOf,
  type StandardSchema,
  present,
  type Present,
  redactJson,
  exceedsBytes,
} from '@adorn/schema';
export { AGAIN_REASONS, type AgainReason, type AskedAgain } from './events/asked-again.js';
export { CALL_ASKERS, type CallAsker } from './events/call-asker.js';
export { type Caller, callerOf } from './events/caller.js';
export { CALL_ENDING } from './events/call-ending.js';
export { isImported } from './events/imported-answer.js';
export { requesterIn } from './events/requester.js';
export { RequestNotPendingError } from './events/errors.js';
export { type EventActions, type EventCompaction, mergedWrites } from './events/event-actions.js';
export {
  eventFromJson,
  type EventFields,
  type EventBody,
  type EventStamp,
  isRetried,
} from './events/event.js';
export { isPlaceholder } from './events/placeholder-response.js';
export { uiIn } from './events/ui-mark.js';
export {
  answerNameOf,
  type Decision,
  type EveryField,
  isRejection,
  isRequestName,
  mayAnswer,
  type PendingRequestData,
  principalIn,
  readDecision,
  REQUEST_CREDENTIAL,
  requestsOf,
  requireAnswerer,
  type StoredApproval,
  type ToolConfirmation,
} from './events/pending-request.js';
export { consumedAs, isReadWithin, type Mail, sentAs } from './events/mail.js';
export {
  type HeldRun,
  type ListedRun,
  openedRun,
  type RenewedHold,
  type RunHold,
  type RunOpening,
  type RunQuery,
  type RunRecord,
  type RunStatus,
} from './events/run-record.js';
export {
  EVENT_LOG,
  EventLog,
  exactKeyOf,
  type ExactSessionKey,
  findState,
  INCARNATION,
  keyOf,
  logOf,
  type SessionExists,
  type SessionSummary,
  showFields,
  withIncarnation,
} from './events/session.js';
export { type ChangedResponses, contentForModel } from './events/responses-for-model.js';
export { recordedCosts } from './run/budget.js';
export type {
  Budget,
  InvocationBudget,
  BudgetLimits,
  Spent,
  BudgetEnd,
  ModelCosts,
  ModelSpending,
} from './run/budget.js';
export {
  type AnsweringPrincipal,
  type AnswerSubject,
  ApproverNotAllowedError,
  type Delegation,
  type Permission,
} from './approvals/answer-authority.js';
export {
  APPROVERS_CURE,
  approverFault,
  type ApproverFacts,
  type ApproverRule,
  type ApproverRules,
  type Escalation,
  type RoleRule,
  secondsIn,
} from './approvals/approver-rule.js';
export {
  type Principal,
  type PrincipalAttribute,
  PrincipalInvalidError,
  type PrincipalInput,
  toPrincipal,
} from './approvals/principal.js';
export { admitted, readSender, type Sender, type SenderInput } from './approvals/sender.js';
export type {
  AnswerOptions,
  ApproveOptions,
  DelegateOptions,
  ResultOptions,
} from './runner/answers/answer-input.js';
export { type CallInput, CallInvalidError } from './runner/begin/call-input.js';
export type { UndoInput } from './runner/undo/undo-input.js';
export type { FeedbackInput } from './runner/feedback.js';
export { type Feedback, feedbackIn, isFeedback, type StoredFeedback } from './events/feedback.js';
export { isRemark } from './events/remark.js';
export { type Settlement, settlementIn } from './events/settlement.js';
export type { SettleOptions } from './runner/effects/settle-effect.js';
export type { EffectCall, UnknownEffect } from './runner/effects/unknown-effects.js';
export { feedbackOf } from './log/feedback-of.js';
export type { UndoneCall, UndoOutcome, UndoReport } from './runner/undo/undo-report.js';
export {
  CallUi,
  type CallUiAddress,
  MOST_UI_CALLS,
  type UiCallOptions,
  uiOfCall,
} from './runner/ui/call-ui.js';
export { UiCallRefusedError, UiNotFoundError } from './runner/ui/errors.js';
export { type UiResult, uiResultOf } from './runner/ui/ui-result.js';
export type { Receipt, ReceiptOf, UndoDecorator, UndoneBy, UndoOptions } from './tools/undo.decorator.js';
export { OutputInvalidError, RunInterruptedError } from './runner/errors.js';
export type { ReadTime } from './runner/mailbox/letter.js';
export type { SendOptions, SentMessage } from './runner/mailbox/send.js';
export { type SweepStart, RecoverySweep, type SweepOptions } from './runner/recover/recovery-sweep.js';
export type { CacheDifference, CacheExplanation, ComparedPart } from './runner/explain-cache.js';
export type { ClosedToolsCount } from './run/invocation-services.js';
export type { ExplainInput, Explanation } from './runner/explain.js';
export type { RetentionPolicy, RetentionReport } from './runner/retention.js';
export type { RetentionOptions } from './runner/retention-schedule.js';
export type { ErasedCounts, ForgetOptions, ForgetReceipt, NotErased } from './runner/forget.js';
export type { ToolsInput } from './runner/list-tools.js';
export { lifeOf, type RunLife } from './runner/begin/session-fence.js';
export type { OpenRunPlace } from './runner/begin/open-run.js';
export { checkRecoverOptions, type RecoveredRun, type RecoverOptions } from './runner/recover/recover.js';
export type {
  Answerer,
  ConversationAddress,
  ForkInput,
  ResumeInput,
  RewindInput,
  RunInput,
} from './runner/begin/run-input.js';

// Callbacks, the contract of plugins, guardrails.
export type { AgentCallbacks, BaseAgentCallbacks, Reply } from './gates/callbacks/agent-callbacks.js';
export type { PluginHost, RunCallbacks, RunEnd } from './gates/callbacks/plugin.js';
export type {
  AgentOperation,
  GuardedObservation,
  ModelOperation,
  Observation,
  Observe,
  ObservedFact,
  ObservedModel,
  ObservedRun,
  Operation,
  OperationEnd,
  RunOperation,
  ToolOperation,
} from './run/telemetry/observation.js';
export type { Tripwire } from './run/tripwire.js';
export {
  checkPluginOptions,
  namePattern,
  PluginOptionInvalidError,
} from './gates/callbacks/plugin-options.js';
export { type GuardrailOptions, GuardrailTrippedError } from './agents/guardrails/guardrail.js';
export type { GuardrailsPluginOptions } from './agents/guardrails/guardrails.plugin.js';
export { isUnknown as isOutcomeUnknown, messageForModel, stoppedOutcome } from './gates/outcome.js';

// Models.
export type { ModelRoute } from './models/combined-models.js';
export { skipModelChecks } from './models/model-checks.js';
export type { StablePart } from './models/model.js';
export {
  contextRefusal,
  type ContextSizes,
  ContextTooLongError,
  type ProviderRefusal,
} from './models/context-too-long.js';
export {
  type AttemptRunner,
  type FailedAttempt,
  ModelAttempt,
  type ModelRetryOptions,
  type RetriedRequest,
  retryAfterWait,
  SYSTEM_TIMING,
  type Timing,
  withModelRetries,
} from './models/model-attempt.js';
export {
  cutResponse,
  interruptedResponse,
  isBlocking,
  judgedResponse,
  malformedResponse,
} from './models/model-response.js';
export { ModelConfigInvalidError, type ProviderToolKind } from './models/model.js';
export { isNameAccepted, type NameRule, WireNames } from './models/wire-names.js';

// Services.
export {
  type EffectAddress,
  type EffectClaim,
  type EffectDone,
  type EffectEntry,
  type EffectErasure,
  EffectLedger,
  type EffectSettlement,
  ERASED_RESULT,
  ERASED_USER,
  type ErasedEffects,
  isSettledSo,
  type OpenEffect,
} from './stores/effects/effect-ledger.js';
export { InMemoryEffectLedger } from './stores/effects/in-memory-effect-ledger.js';
export {
  type ArtifactDownload,
  type ArtifactUpload,
  ArtifactVersionTakenError,
  checkArtifact,
  checkArtifactStream,
} from './stores/artifacts/artifact.service.js';
export {
  type AppCredential,
  type BearerCredential,
  type CustomCredential,
  guardedCredential,
  type OAuth2Credential,
  type OAuthClientCredential,
  type ServiceAccountCredential,
} from './auth/auth-credential.js';
export {
  type ApiKeyScheme,
  type AuthScheme,
  type CustomScheme,
  flowOf,
  type HttpScheme,
  isOAuth,
  type OAuth2Scheme,
  type OAuthFlow,
  type OAuthFlows,
  type OpenIdConnectScheme,
} from './auth/auth-scheme.js';
export {
  type Consent,
  CredentialExchanger,
  CredentialRefresher,
  type ExchangeContext,
} from './auth/credential-exchanger.js';
export {
  CredentialResolver,
  type FoundCredential,
  type CredentialResolverFields,
} from './auth/credential-resolver.js';
export type { CredentialScope } from './auth/credential.service.js';
export { CredentialExchangeError } from './auth/errors.js';
export type {
  ConsentAnswer,
  CredentialAnswer,
  RequestedAuthConfig,
  ShownConsent,
  ShownCredential,
} from './auth/requested-auth-config.js';
export { Compaction, type CompactorParts, type SessionCompactor } from './compaction/compaction.js';
export type { ContextOptions } from './compaction/context-options.js';
export type { SummarizeOptions } from './compaction/event-summarizer.js';
export {
  CompactionConfigInvalidError,
  type CompactionRules,
  type EventsCompactionConfig,
  type IntervalCompaction,
  type TokenCompaction,
} from './compaction/events-compaction-config.js';
export { inMemoryServices } from './app/runner-container.js';
export { unmanaged } from './app/unmanaged.js';
export type { ConfirmationDecision, ConfirmationRequest } from './run/confirmation-provider.js';
export type {
  EmbeddingPurpose,
  MemoryEntry,
  MemoryScope,
  SearchMemoryOptions,
  StoredMemory,
} from './stores/memory/memory.service.js';
export type { Awaitable } from './runtime/awaitable.js';
export { Channel } from './runtime/channel.js';
export { Condition } from './runtime/condition.js';
export { startTimer, SystemClock } from './runtime/clock.js';
export type { LogFacts } from './runtime/logger.js';
export {
  NotSupportedError,
  SessionConflictError,
  SessionExistsError,
  SessionNotFoundError,
  SessionTakenOverError,
} from './stores/sessions/errors.js';
export {
  mayChangeRequests,
  type OpenRequestPlace,
  type OpenRequestQuery,
  type OpenRequestRecord,
  openRequestsOf,
} from './log/open-requests.js';
export type { InboxFilter, InboxPage, InboxQuery, InboxRequest, Quorum } from './runner/inbox/inbox.js';
export type { InboxChange } from './runner/inbox/watch-inbox.js';
export { followInbox, type InboxFollower } from './runner/inbox/follow-inbox.js';
export { runOfLog } from './stores/sessions/run-of-log.js';
export { adoptedRecord } from './stores/sessions/adopt-record.js';
export {
  type ImportOptions,
  ownState,
  persistedEvent,
  type SessionRecord,
  type StateUpdate,
  withOwnState,
} from './stores/sessions/session-record.js';
export type {
  AllSessionsQuery,
  AppendOptions,
  GetSessionOptions,
  ListedSession,
  ListSessionsOptions,
  Page,
  DeletedSession,
  SessionDeletionListener,
} from './stores/sessions/session.service.js';
export { ScopedState, ScopeValues, type StoredScope } from './stores/sessions/stored-session.js';

// Names, JSON, schemas.
export type { DeclaredOutput, OutputTypeMissing } from './agents/agent.decorator.js';
export type { AgentToolNames } from './agents/llm.agent.js';
export { checkRunnerOptions } from './app/create-runner.js';
export { checkListing } from './tools/toolsets/listing.js';
export type { Agents, Output } from './agents/workflow/workflows.js';
export type { NodeInfo } from './events/event-place.js';
export { type CompleteRunConfig, RunConfigInvalidError } from './run/run-config.js';
export {
  type Cancellable,
  Cancellation,
  InvocationCancelledError,
  type WaitOptions,
} from './run/cancellation.js';
export { type CallAddress, responsesInRun } from './tools/tool-context.js';
export { redactSettings } from './models/redact-settings.js';
export type { ModelSettings } from './models/redact-settings.js';
export { isLoopback, LOOPBACK_HOSTS } from './runtime/loopback.js';
export {
  type GroupOptions,
  type HeardGroupOptions,
  type PipedGroupOptions,
  type ProcessGroup,
  startGroup,
} from './runtime/process-group.js';
export type { EventSink } from './events/event-sink.js';
export { type ShownConversation, shownConversation, type ShownResult } from './log/history/shown-results.js';
export { contextOfModel, type ModelContext } from './models/model-context.js';
export {
  checkPrices,
  costOfUsage,
  type ModelPrice,
  type ModelPrices,
  priceOf,
  PUBLISHED_PRICES,
} from './models/published-price.js';
export { publishedWindow } from './models/published-window.js';
export { sizeOfConfig, sizeOfContent } from './log/content-size.js';
export {
  SHORTENED,
  type ShortenedResult,
  type Shortening,
  shorteningEvent,
  shorteningOf,
  type ShorteningRun,
} from './log/shortening.js';
export {
  effectiveEntries,
  effectiveEvents,
  effectiveEventsBackwards,
  type LogEntry,
} from './log/effective-events.js';
export {
  labelKey,
  labelledIn,
  LabelledResults,
  type LabelledTools,
  RESULT_LABELS,
  type ResultLabel,
} from './log/labelled-results.js';
export { Projection, SessionSlot } from './log/projection.js';
export { beginsTurn, chainedInvocations } from './log/invocation-chains.js';
export { requesterOfRun } from './log/requester-of-run.js';
export {
  compactionEvent,
  leftOut,
  type SeqRange,
  shownEntries,
  SUMMARY_HEADING,
  summaryContent,
} from './log/compaction-event.js';
export { sinceLastSummary, type SinceSummary } from './log/compaction-tracker.js';
export { lastCompletedSeq } from './log/completed-runs.js';
export { type HistoryPlace, isQuotedContent, type Viewer } from './log/history/model-view.js';
export type { Performed } from './run/emit-events.js';
export type { WireFields } from './events/event-fields.js';

// Execution of code.
export {
  type CodeExecutionInput,
  type CodeExecutionResult,
  CodeExecutor,
  CodeExecutorUnavailableError,
  type CodeFile,
  type CodeFunction,
  type CodeOutcome,
  outcomeOfCode,
  outputOfCode,
} from './code-execution/code-executor.js';

// Live models and sessions.
export type { LiveSignals } from './run/live/live-signals.js';
export type { LiveRun } from './run/live/live-run.js';
export type { CacheMetadata } from './events/cache-metadata.js';
export type { LiveNotice } from './events/live-notice.js';
export { type LiveInputPiece, LiveInputSource } from './run/live/live-input.js';
export { checkLiveSetup, LiveNotSupportedError } from './models/live/check-live-setup.js';
export type { LiveCapabilities, LiveInputKind, LiveModality } from './models/live/live-capabilities.js';
export {
  LiveConnection,
  type LiveSetupChange,
  type LiveToolResponse,
} from './models/live/live-connection.js';
export type { LiveEvent } from './models/live/live-event.js';
export {
  type LiveConnectOptions,
  LiveModel,
  type LiveSetup,
  type LiveTranscription,
} from './models/live/live.model.js';
export type { LiveRunInput } from './runner/live/live-run-input.js';
export { LiveSession } from './runner/live/live-session.js';
export {
  type LiveRunOutput,
  LiveSessions,
  type LiveStart,
  type OpenSession,
  type RunOfSession,
} from './runner/live/live-sessions.js';
export type { Replacement } from './run/replacement.js';
export { CALL_GRACE_MS } from './gates/time-limit.js';
export { isListening, type ToolOutcome } from './gates/tool-call.js';
export { type CallBatch, isToolCall, type ResolvedCall } from './turn/call-batch.js';
export { TurnModelRequest } from './turn/model-request.js';
export {
  type EndedCall,
  endInput,
  type MessagePlace,
  type OpenTurn,
  type Said,
  type SaidCalls,
  stopCall,
} from './turn/open-turn.js';
export type { CallSource, Step } from './turn/step.js';
export { NEXT_MESSAGE } from './turn/processors.js';
export type { LiveCallbacks, LiveDirection } from './turn/live-callbacks.js';
