import type { Content, FunctionCall, Part } from '@adorn/core';
import { optionNames } from '@adorn/core/backend';

import type {
  ConversationScenario,
  EvalCase,
  EvalInvocation,
  EvalSet,
  IntermediateData,
  InvocationEvent,
  KillFault,
  Rubric,
  ServiceFault,
  SessionInput,
  ToolStub,
  UserBehavior,
  UserPersona,
} from './eval-set.js';

/**
 * The keys of each object of an eval file, in camel case. A key that is in no row is refused: a misspelt expectation would
 * expect nothing. A key of a row that {@link EvalSet} has no field for is one that ADK writes and that says nothing of what
 * is expected, such as a duration.
 */
export const EVAL_KEYS = {
  set: new Set([
    ...optionNames<EvalSet>({
      evalSetId: true,
      name: true,
      description: true,
      evalCases: true,
      creationTimestamp: true,
    }),
    ...['id', '$schema', 'modelExecutionMode'],
  ]),
  case: new Set([
    ...optionNames<EvalCase>({
      evalId: true,
      conversation: true,
      sessionInput: true,
      rubrics: true,
      finalSessionState: true,
      creationTimestamp: true,
      conversationScenario: true,
      toolStubs: true,
      faults: true,
    }),
    'id',
  ]),
  conversationScenario: optionNames<ConversationScenario>({
    startingPrompt: true,
    conversationPlan: true,
    userPersona: true,
    patience: true,
  }),
  userPersona: optionNames<UserPersona>({ id: true, description: true, behaviors: true }),
  userBehavior: optionNames<UserBehavior>({
    name: true,
    description: true,
    behaviorInstructions: true,
    violationRubrics: true,
  }),
  toolStub: optionNames<ToolStub>({ tool: true, args: true, response: true, error: true }),
  kill: optionNames<KillFault>({ kind: true, during: true, behind: true, before: true }),
  serviceFault: optionNames<ServiceFault>({
    kind: true,
    tool: true,
    nth: true,
    times: true,
    hasEffect: true,
    reason: true,
    response: true,
  }),
  turn: new Set([
    ...optionNames<EvalInvocation>({
      invocationId: true,
      userContent: true,
      finalResponse: true,
      intermediateData: true,
      rubrics: true,
      creationTimestamp: true,
    }),
    ...['appDetails', 'inferenceCallCount', 'duration'],
  ]),
  intermediateData: optionNames<IntermediateData>({
    toolUses: true,
    toolResponses: true,
    intermediateResponses: true,
    invocationEvents: true,
  }),
  invocationEvent: new Set([
    ...optionNames<InvocationEvent>({ author: true, content: true }),
    ...['groundingMetadata', 'usageMetadata', 'modelVersion'],
    // Places in the page of adk-web.
    ...['invocationIndex', 'toolUseIndex'],
  ]),
  toolUse: new Set([...functionCallKeys(), 'invocationIndex', 'toolUseIndex']),
  functionCall: functionCallKeys(),
  functionResponse: optionNames<NonNullable<Part['functionResponse']>>({
    id: true,
    name: true,
    response: true,
    willContinue: true,
    scheduling: true,
    parts: true,
  }),
  sessionInput: optionNames<SessionInput>({ appName: true, userId: true, sessionId: true, state: true }),
  rubric: optionNames<Rubric>({ rubricId: true, rubricContent: true, description: true, type: true }),
  rubricContent: optionNames<Rubric['rubricContent']>({ textProperty: true }),
  content: optionNames<Content>({ role: true, parts: true }),
  part: optionNames<Part>({
    text: true,
    thought: true,
    thoughtSignature: true,
    functionCall: true,
    functionResponse: true,
    inlineData: true,
    fileData: true,
    executableCode: true,
    codeExecutionResult: true,
    videoMetadata: true,
    partMetadata: true,
    toolCall: true,
    toolResponse: true,
    audioTranscription: true,
    mediaProcessing: true,
    mediaResolution: true,
    speechMetadata: true,
  }),
  olderCase: new Set(['name', 'data', 'initialSession']),
  olderTurn: new Set(['query', 'reference', 'expectedToolUse', 'expectedIntermediateAgentResponses']),
  olderToolUse: new Set(['toolName', 'toolInput', 'mockToolOutput']),
  olderResponse: new Set(['author', 'text']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>;

/** The name of an object of an eval file, in {@link EVAL_KEYS}. */
export type EvalObject = keyof typeof EVAL_KEYS;

function functionCallKeys(): ReadonlySet<string> {
  return optionNames<FunctionCall>({
    id: true,
    name: true,
    args: true,
    partialArgs: true,
    willContinue: true,
  });
}
