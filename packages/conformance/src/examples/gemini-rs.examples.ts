import { backgroundL1, backgroundL2, resultFormatter } from './gemini-rs-background.examples.js';
import type { ExampleDocument } from './example.js';
import {
  agentsAsTools,
  beforeToolResponse,
  onToolCall,
  phaseScopedTools,
} from './gemini-rs-desk.examples.js';
import { longRunning, policies, timeouts } from './gemini-rs-limits.examples.js';
import { builtInTools, composition, registration, toolsetOfVec } from './gemini-rs-sets.examples.js';
import { inputStreamingTool, streamingTool } from './gemini-rs-streaming.examples.js';
import { simpleTool, toolFunction, toolMacro, typedTool } from './gemini-rs-tools.examples.js';

export const GEMINI_RS: ExampleDocument = {
  name: '004 gemini-rs tools',
  examples: [
    simpleTool,
    typedTool,
    toolMacro,
    toolFunction,
    streamingTool,
    inputStreamingTool,
    builtInTools,
    policies,
    agentsAsTools,
    registration,
    composition,
    toolsetOfVec,
    onToolCall,
    phaseScopedTools,
    longRunning,
    timeouts,
    backgroundL2,
    backgroundL1,
    resultFormatter,
    beforeToolResponse,
  ],
};
