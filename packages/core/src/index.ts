// Agents.
export { agent, type AgentClass, defineAgent } from './agents/agent.decorator.js';
export { agentTool } from './agents/agent.tool.js';
export { BaseAgent } from './agents/base.agent.js';
export { LlmAgent } from './agents/llm.agent.js';
export { FallbackAgent, RaceAgent, RouteAgent } from './agents/workflow/branching.agents.js';
export { LoopAgent } from './agents/workflow/loop.agent.js';
export { MapAgent } from './agents/workflow/map.agent.js';
export { ParallelAgent, SequentialAgent } from './agents/workflow/ordered.agents.js';
export * as workflow from './agents/workflow/workflows.js';
export type { AgentResult } from './run/agent-result.js';
export { instruct } from './turn/instruction-template.js';

// Tools.
export { withOptions } from './tools/policies/wrapped.tool.js';
export { type Integer, type JsonSchema, AdornError } from '@adorn/schema';
export { defineTool } from './tools/define-tool.js';
export { ToolError } from './tools/errors.js';
export { FunctionTool } from './tools/function.tool.js';
export { inject, param, tool } from './tools/tool.decorator.js';
export { undo } from './tools/undo.decorator.js';
export { Tool } from './tools/tool.js';
export { toolbox } from './tools/toolsets/toolbox.js';
export { StaticToolset, Toolset, ToolsetContext } from './tools/toolsets/toolset.js';
export { withFilter, withPrefix } from './tools/toolsets/wrapped.toolset.js';

// Built-in tools.
export { exitLoop, getUserChoice, transferToAgent } from './tools/builtin/control-flow.tools.js';
export { loadArtifacts } from './tools/builtin/load-artifacts.tool.js';
export { readResult } from './tools/builtin/read-result.tool.js';
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
export { CallbackContext, ReadonlyContext } from './run/callback-context.js';
export { InvocationContext } from './run/invocation-context.js';
export type { State } from './events/state.js';
export { ToolContext } from './tools/tool-context.js';
export { LiveInput } from './run/live/live-input.js';

// Runs.
export { createRunner, type CreateRunnerOptions } from './app/create-runner.js';
export { joinText, type Message } from './events/content-parts.js';
export type { Content, FunctionCall, GenerateContentConfig, Part } from './events/genai-types.js';
export { Event } from './events/event.js';
export type { PendingRequest } from './events/pending-request.js';
export type { Session, SessionKey } from './events/session.js';
export type { RunConfig } from './run/run-config.js';
export { RunFailedError, RunPausedError } from './runner/errors.js';
export type { Run, RunResult } from './runner/run.js';
export { Runner } from './runner/runner.js';
export { exportSession, importSession } from './stores/sessions/session-record.js';

// Callbacks, the contract of plugins, guardrails.
export { Deny, RequireConfirmation } from './gates/callbacks/agent-callbacks.js';
export { Plugin } from './gates/callbacks/plugin.js';
export type { Guardrail, ToolGuardrail } from './agents/guardrails/guardrail.js';
export { GuardrailsPlugin } from './agents/guardrails/guardrails.plugin.js';

// Models.
export { fallbackModel, routeModel } from './models/combined-models.js';
export type { ModelResponse } from './models/model-response.js';
export { Model, ModelProvider, type ModelRequest } from './models/model.js';

// Services, and the container that binds them.
export { ArtifactService } from './stores/artifacts/artifact.service.js';
export { InMemoryArtifactService } from './stores/artifacts/in-memory-artifact.service.js';
export type { AuthConfig } from './auth/auth-config.js';
export type { AuthCredential } from './auth/auth-credential.js';
export { CredentialService, InMemoryCredentialService } from './auth/credential.service.js';
export { CredentialRejectedError } from './auth/errors.js';
export { EventSummarizer } from './compaction/event-summarizer.js';
export { ConfirmationProvider } from './run/confirmation-provider.js';
export { InMemoryMemoryService } from './stores/memory/in-memory-memory.service.js';
export { Embedder, MemoryService } from './stores/memory/memory.service.js';
export { Clock } from './runtime/clock.js';
export { ConsoleLogger, Logger } from './runtime/logger.js';
export { InMemorySessionService } from './stores/sessions/in-memory-session.service.js';
export { SessionService } from './stores/sessions/session.service.js';
export { Container, ContainerModule, multiInject, named, optional } from 'inversify';
