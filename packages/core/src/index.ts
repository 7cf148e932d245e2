export {
  agent,
  type AgentClass,
  type AgentOptions,
  defineAgent,
  type DefinedAgentClass,
  type DefinedAgentOptions,
  type ToolSource,
} from './agents/agent.decorator.js';
export { LlmAgentNode } from './agents/agent-nodes.js';
export { BaseAgent } from './agents/base.agent.js';
export { LlmAgent } from './agents/llm.agent.js';
export { FallbackAgent, RaceAgent, RouteAgent } from './agents/workflow/branching.agents.js';
export { LoopAgent } from './agents/workflow/loop.agent.js';
export { MapAgent } from './agents/workflow/map.agent.js';
export { ParallelAgent, SequentialAgent } from './agents/workflow/ordered.agents.js';
export { WorkflowAgent } from './agents/workflow/workflow.agent.js';
export * as workflow from './agents/workflow/workflows.js';
export {
  fallback,
  type LastOutput,
  loop,
  type LoopOptions,
  map,
  type MapOptions,
  type Outputs,
  parallel,
  type ParallelOptions,
  race,
  route,
  type RouteCase,
  sequence,
  type WorkflowOptions,
} from './agents/workflow/workflows.js';
export { type ArtifactDownload, ArtifactService, type ArtifactUpload } from './artifacts/artifact.service.js';
export { InMemoryArtifactService } from './artifacts/in-memory-artifact.service.js';
export type { AuthConfig } from './auth/auth-config.js';
export type {
  AppCredential,
  AuthCredential,
  BearerCredential,
  CustomCredential,
  OAuth2Credential,
  OAuthClientCredential,
  ServiceAccountCredential,
} from './auth/auth-credential.js';
export type {
  ApiKeyScheme,
  AuthScheme,
  CustomScheme,
  HttpScheme,
  OAuth2Scheme,
  OAuthFlow,
  OAuthFlows,
  OpenIdConnectScheme,
} from './auth/auth-scheme.js';
export {
  type Consent,
  CredentialExchanger,
  CredentialRefresher,
  type ExchangeContext,
} from './auth/credential-exchanger.js';
export { CredentialResolver, type FoundCredential } from './auth/credential-resolver.js';
export { CredentialExchangeError, CredentialRejectedError } from './auth/errors.js';
export type {
  ConsentAnswer,
  CredentialAnswer,
  RequestedAuthConfig,
  ShownConsent,
  ShownCredential,
} from './auth/requested-auth-config.js';
export {
  type CredentialScope,
  CredentialService,
  InMemoryCredentialService,
} from './auth/credential.service.js';
export {
  type AgentCallbacks,
  Ask,
  type BaseAgentCallbacks,
  Deny,
  type Reply,
} from './callbacks/agent-callbacks.js';
export { Plugin, type PluginHost, type RunCallbacks, type RunEnd } from './callbacks/plugin.js';
export {
  EventSummarizer,
  LlmEventSummarizer,
  type LlmEventSummarizerOptions,
  type SummarizeOptions,
} from './compaction/event-summarizer.js';
export type {
  EventsCompactionConfig,
  IntervalCompaction,
  TokenCompaction,
} from './compaction/events-compaction-config.js';
export { createRunner, type CreateRunnerOptions } from './container/create-runner.js';
export { inMemoryServices } from './container/runner-container.js';
export { joinText, type Message } from './content/content-parts.js';
export type {
  Content,
  FunctionCall,
  FunctionDeclaration,
  FunctionResponse,
  GenerateContentConfig,
  Part,
} from './content/genai-types.js';
export { AdornError } from './errors/adorn.error.js';
export type { AdornErrorCode } from './errors/error-codes.js';
export type { EventActions, EventCompaction } from './events/event-actions.js';
export { Event, type EventFields } from './events/event.js';
export type { PendingRequest, PendingRequestData, ToolConfirmation } from './events/pending-request.js';
export type { Session, SessionKey, SessionSummary } from './events/session.js';
export { effectiveEvents } from './log/effective-events.js';
export type { AgentNode, TransferPolicy } from './invocation/agent-node.js';
export { CallbackContext, ReadonlyContext, type RequestedActions } from './invocation/callback-context.js';
export {
  type ConfirmationDecision,
  ConfirmationProvider,
  type ConfirmationRequest,
} from './invocation/confirmation-provider.js';
export { type AgentToolOptions, AgentToolSource, agentTool } from './agents/agent.tool.js';
export { InvocationContext } from './invocation/invocation-context.js';
export type { AgentResults, InvokeAllOptions, InvokeOptions, SubAgent } from './invocation/sub-agent.js';
export type { AgentFailure, AgentResult } from './invocation/agent-result.js';
export type { InvocationServices, ServiceToken } from './invocation/invocation-services.js';
export type { Budget } from './invocation/budget.js';
export type { RunConfig } from './invocation/run-config.js';
export {
  Embedder,
  type EmbeddingPurpose,
  type MemoryEntry,
  type MemoryScope,
  MemoryService,
  type SearchMemoryOptions,
} from './memory/memory.service.js';
export { InMemoryMemoryService } from './memory/in-memory-memory.service.js';
export type { ClassReference } from './metadata/class-metadata.js';
export { fallbackModel, type ModelRoute, routeModel } from './models/combined-models.js';
export {
  Model,
  ModelConfigInvalidError,
  ModelProvider,
  type ModelRequest,
  type ProviderToolKind,
} from './models/model.js';
export type { ModelResponse } from './models/model-response.js';
export { type ContextFilterOptions, ContextFilterPlugin } from './plugins/context-filter.plugin.js';
export {
  type Guardrail,
  type GuardrailOptions,
  GuardrailTrippedError,
  type ToolGuardrail,
} from './plugins/guardrail.js';
export { personalData, type PersonalDataKind, type PersonalDataOptions } from './plugins/personal-data.js';
export { GuardrailsPlugin, type GuardrailsPluginOptions } from './plugins/guardrails.plugin.js';
export type { Tripwire } from './invocation/tripwire.js';
export { GlobalInstructionPlugin } from './plugins/global-instruction.plugin.js';
export { type LogDetail, type LoggingOptions, LoggingPlugin } from './plugins/logging.plugin.js';
export { type RedactionOptions, RedactionPlugin } from './plugins/redaction.plugin.js';
export { type ReflectAndRetryOptions, ReflectAndRetryPlugin } from './plugins/reflect-and-retry.plugin.js';
export {
  type SecurityDecision,
  type SecurityPolicyOptions,
  SecurityPolicyPlugin,
  type SecurityRule,
} from './plugins/security-policy.plugin.js';
export { SaveFilesAsArtifactsPlugin } from './plugins/save-files-as-artifacts.plugin.js';
export {
  withBackground,
  withCache,
  withConfirmation,
  withLongRunning,
  withRetry,
  withTimeout,
} from './policies/wrapped.tool.js';
export type { RecoveredRun, RecoverOptions } from './runner/recover.js';
export type { AnswerOptions, ApproveOptions, ResultOptions } from './runner/answer-input.js';
export { type CallInput, CallInvalidError } from './runner/call-input.js';
export type {
  Answerer,
  ConversationAddress,
  ForkInput,
  ResumeInput,
  RewindInput,
  RunInput,
} from './runner/run-input.js';
export type { ExplainInput, Explanation } from './runner/explain.js';
export type { ToolsInput } from './runner/list-tools.js';
export { OutputInvalidError, RunFailedError, RunPausedError } from './runner/errors.js';
export type { Run, RunResult } from './runner/run.js';
export { Runner } from './runner/runner.js';
export type { Awaitable } from './runtime/awaitable.js';
export { Clock, SystemClock } from './runtime/clock.js';
export { ConsoleLogger, type LogFacts, Logger } from './runtime/logger.js';
export type { Arguments, UnknownArguments } from './schema/argument-check.js';
export type { Integer } from './schema/integer.js';
export type { JsonSchema } from './schema/reader/schema-parts.js';
export type { ExplicitSchema, OutputOf, StandardSchema } from './schema/standard-schema.js';
export {
  exportSession,
  importSession,
  type SessionRecord,
  type StateUpdate,
} from './sessions/session-record.js';
export { InMemorySessionService } from './sessions/in-memory-session.service.js';
export {
  type AppendOptions,
  type GetSessionOptions,
  type ListSessionsOptions,
  type Page,
  SessionService,
} from './sessions/session.service.js';
export type { ListedRun, RunOpening, RunQuery, RunRecord, RunStatus } from './events/run-record.js';
export type { ReadonlyState, State, StateDelta } from './state/state.js';
export { exitLoop, getUserChoice, transferToAgent } from './tools/builtin/control-flow.tools.js';
export { loadArtifacts } from './tools/builtin/load-artifacts.tool.js';
export { loadMemory, preloadMemory } from './tools/builtin/memory.tools.js';
export {
  builtInCodeExecution,
  fileSearch,
  googleMaps,
  googleSearch,
  urlContext,
  vertexAiSearch,
} from './tools/builtin/provider.tools.js';
export type { AiSdkTool, AiSdkToolSet } from './tools/third-party/ai-sdk.tool.js';
export type { LangChainTool } from './tools/third-party/langchain.tool.js';
export type { CallableTool } from './tools/callable.tool.js';
export {
  type Asked,
  type Confirmation,
  type ConfirmationPredicate,
  type InputRequest,
  ToolPausedError,
} from './tools/tool-requests.js';
export {
  type BareFunction,
  defineTool,
  type ToolFunction,
  type TypedToolFields,
} from './tools/define-tool.js';
export {
  type ArgumentsOf,
  FunctionTool,
  type FunctionToolFields,
  LongRunningFunctionTool,
} from './tools/function.tool.js';
export {
  type AnyMethod,
  inject,
  type InjectionToken,
  type MethodDescriptor,
  type MethodFor,
  type NoStandardDecorator,
  param,
  type ParamOptions,
  type PredicateArguments,
  type SchemaMethod,
  type StandardDecoratorCall,
  tool,
  type ToolDecorator,
  type ToolOptions,
  type TypedToolOptions,
} from './tools/tool.decorator.js';
export { ToolContext } from './tools/tool-context.js';
export { ToolError } from './tools/errors.js';
export {
  type BackgroundOptions,
  type CacheOptions,
  type CacheScope,
  type ConcurrencyOptions,
  type LimitScope,
  type RateLimit,
  type ResultScheduling,
  type RetryOptions,
  Tool,
  type ToolEffect,
  type ToolTraits,
} from './tools/tool.js';
export { toolbox, type ToolboxOptions } from './toolsets/toolbox.js';
export type { ListingOptions } from './toolsets/listing.js';
export { StaticToolset, Toolset, ToolsetContext } from './toolsets/toolset.js';
export { type ToolFilter, withFilter, withPrefix } from './toolsets/wrapped.toolset.js';
export { instruct, type InstructionValue } from './turn/instruction-template.js';
export type { Instruction, InstructionProvider, LlmSettings } from './turn/turn-agent.js';
export { Container, ContainerModule, multiInject, named, optional } from 'inversify';
