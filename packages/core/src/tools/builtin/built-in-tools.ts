import { exitLoop, getUserChoice, transferToAgent } from './control-flow.tools.js';
import { loadArtifacts } from './load-artifacts.tool.js';
import { loadMemory, preloadMemory } from './memory.tools.js';
import {
  builtInCodeExecution,
  fileSearch,
  googleMaps,
  googleSearch,
  urlContext,
  vertexAiSearch,
} from './provider.tools.js';

/** The functions that return built-in tools. Listing one without calling it is a mistake. */
export const BUILT_IN_TOOLS: ReadonlySet<unknown> = new Set([
  builtInCodeExecution,
  exitLoop,
  fileSearch,
  getUserChoice,
  googleMaps,
  googleSearch,
  loadArtifacts,
  loadMemory,
  preloadMemory,
  transferToAgent,
  urlContext,
  vertexAiSearch,
]);
