import { ADK_RS_BUILT_IN_TOOLS } from './adk-rs-built-in-tools.examples.js';
import { ADK_RS_MULTI_AGENT } from './adk-rs-multi-agent.examples.js';
import { ADK_RS_TOOLS_OVERVIEW } from './adk-rs-tools-overview.examples.js';
import { ADK_TOOLS } from './adk-tools.examples.js';
import { GEMINI_RS } from './gemini-rs.examples.js';
import type { ExampleDocument } from './example.js';

/** The documents, in the order of their numbers. */
export const DOCUMENTS: readonly ExampleDocument[] = [
  ADK_RS_BUILT_IN_TOOLS,
  ADK_RS_TOOLS_OVERVIEW,
  ADK_TOOLS,
  ADK_RS_MULTI_AGENT,
  GEMINI_RS,
];
