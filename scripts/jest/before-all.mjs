import { startSharedPostgres } from './shared-postgres.mjs';
import { warmDerivations } from './warm-derivations.mjs';

/** What all spec files need is there before the first one. A run of some specs gets what it needs when it needs it. */
export default async function beforeAll({ rootDir, testPathPatterns }) {
  const isWhole = testPathPatterns.patterns.length === 0;
  if (isWhole) await Promise.all([warmDerivations(rootDir), startSharedPostgres()]);
}
