/** What `adorn build` imports: TypeScript is loaded only where there is something to do. */
export type { BuildReport } from './emit/build-report.js';
export { type BuildOptions, buildSchemas } from './emit/build-schemas.js';
export { shownPath } from './program/shown-path.js';
