/** The pattern of TypeScript files. A project's own `transform` replaces the preset's under this key. */
export const TYPESCRIPT = '^.+\\.[cm]?tsx?$';

/** `./orders.js` is written where `./orders.ts` is meant. */
export const WITHOUT_JS_ENDING = { '^(\\.{1,2}/.*)\\.js$': '$1' };
