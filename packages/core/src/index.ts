// Agents.
export { agent, type AgentClass, defineAgent, type ToolSource } from './agents/agent.decorator.js';
export { agentTool } from './agents/agent.tool.js';
export { BaseAgent } from './agents/base.agent.js';
export { LlmAgent } from './agents/llm.agent.js';
export { FallbackAgent, RaceAgent, RouteAgent } from './agents/workflow/branching.agents.js';
export { LoopAgent } from './agents/workflow/loop.agent.js';
export { MapAgent } from './agents/workflow/map.agent.js';
export { ParallelAgent, SequentialAgent } from './agents/workflow/ordered.agents.js';
export * as workflow from './agents/workflow/workflows.js';
export type { AgentResult } from './invocation/agent-result.js';
export { instruct } from './turn/instruction-template.js';

// Tools.
export { withOptions } from './policies/wrapped.tool.js';
export type { Integer } from './schema/integer.js';
export type { JsonSchema } from './schema/reader/schema-parts.js';
export { defineTool } from './tools/define-tool.js';
export { ToolError } from './tools/errors.js';
export { FunctionTool } from './tools/function.tool.js';
export { inject, param, tool } from './tools/tool.decorator.js';
export { Tool } from './tools/tool.js';
export { toolbox } from './toolsets/toolbox.js';
export { StaticToolset, Toolset, ToolsetContext } from './toolsets/toolset.js';
export { withFilter, withPrefix } from './toolsets/wrapped.toolset.js';

// Built-in tools.
export { runCode } from './tools/builtin/run-code.tool.js';
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

// Contexts and state.
export { CallbackContext, ReadonlyContext } from './invocation/callback-context.js';
export { InvocationContext } from './invocation/invocation-context.js';
export type { State } from './state/state.js';
export { ToolContext } from './tools/tool-context.js';
export { LiveInput } from './invocation/live/live-input.js';

// Runs.
export { createRunner, type CreateRunnerOptions } from './container/create-runner.js';
export { joinText, type Message } from './content/content-parts.js';
export type { Content, FunctionCall, GenerateContentConfig, Part } from './content/genai-types.js';
export { AdornError } from './errors/adorn.error.js';
export { Event } from './events/event.js';
export type { PendingRequest } from './events/pending-request.js';
export type { Session, SessionKey } from './events/session.js';
export type { RunConfig } from './invocation/run-config.js';
export { RunFailedError, RunPausedError } from './runner/errors.js';
export type { Run, RunResult } from './runner/run.js';
export { Runner } from './runner/runner.js';
export { exportSession, importSession } from './sessions/session-record.js';

// Callbacks, the contract of plugins, guardrails.
export { Deny, RequireConfirmation } from './callbacks/agent-callbacks.js';
export { Plugin } from './callbacks/plugin.js';
export type { Guardrail, ToolGuardrail } from './guardrails/guardrail.js';
export { GuardrailsPlugin } from './guardrails/guardrails.plugin.js';

// Models.
export { fallbackModel, routeModel } from './models/combined-models.js';
export type { ModelResponse } from './models/model-response.js';
export { Model, ModelProvider, type ModelRequest } from './models/model.js';

// Services, and the container that binds them.
export { ArtifactService } from './artifacts/artifact.service.js';
export { InMemoryArtifactService } from './artifacts/in-memory-artifact.service.js';
export type { AuthConfig } from './auth/auth-config.js';
export type { AuthCredential } from './auth/auth-credential.js';
export { CredentialService, InMemoryCredentialService } from './auth/credential.service.js';
export { CredentialRejectedError } from './auth/errors.js';
export { EventSummarizer } from './compaction/event-summarizer.js';
export { ConfirmationProvider } from './invocation/confirmation-provider.js';
export { InMemoryMemoryService } from './memory/in-memory-memory.service.js';
export { Embedder, MemoryService } from './memory/memory.service.js';
export { Clock } from './runtime/clock.js';
export { ConsoleLogger, Logger } from './runtime/logger.js';
export { InMemorySessionService } from './sessions/in-memory-session.service.js';
export { SessionService } from './sessions/session.service.js';
export { Container, ContainerModule, multiInject, named, optional } from 'inversify';
