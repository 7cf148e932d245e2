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

/** The functions that make built-in tools. Listed without a call they are a mistake, and no tools of the user. */
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
