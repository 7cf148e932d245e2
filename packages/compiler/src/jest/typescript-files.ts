/** Which files are TypeScript. It is the key by which a project's own `transform` replaces the preset's. */
export const TYPESCRIPT = '^.+\\.[cm]?tsx?$';

/** `./orders.js` is written where `./orders.ts` is meant. */
export const WITHOUT_JS_ENDING = { '^(\\.{1,2}/.*)\\.js$': '$1' };
