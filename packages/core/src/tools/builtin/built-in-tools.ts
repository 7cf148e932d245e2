import { exitLoop } from './exit-loop.tool.js';
import { getUserChoice } from './get-user-choice.tool.js';
import { loadArtifacts } from './load-artifacts.tool.js';
import { loadMemory } from './load-memory.tool.js';
import { preloadMemory } from './preload-memory.tool.js';
import {
  builtInCodeExecution,
  fileSearch,
  googleMaps,
  googleSearch,
  urlContext,
  vertexAiSearch,
} from './provider.tools.js';
import { transferToAgent } from './transfer-to-agent.tool.js';

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
