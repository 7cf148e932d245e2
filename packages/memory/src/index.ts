export { backgroundExtraction, type BackgroundExtractionOptions } from './background-extraction.module.js';
export { ProfileInvalidError } from './errors.js';
export type { WorkingMemoryOptions } from './options.js';
export type { ProfileClass } from './profile-fields.js';
export { remembered } from './remembered.decorator.js';
export { type ProfileChange, UserProfile } from './user-profile.js';
export { WorkingMemory, workingMemory } from './working-memory.tool.js';
