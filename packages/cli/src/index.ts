export { chat, type ChatOptions, type ChatOutcome } from './chat/chat.js';
export { latestSession } from './chat/chat-session.js';
export type { ChatOutput } from './chat/screen.js';
export { ScriptNotFoundError } from './chat/open-input.js';
export { main } from './main.js';
export * from './deprecated.js';
export { UsageError } from './usage.error.js';
