import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PackageManager } from './package-manager.js';
import { TEMPLATE_FOLDER, type TemplateFile } from './template.js';

const SET_UP = `      - uses: actions/setup-node@v4
        with: { node-version: 22, cache: npm }
      - run: npm ci
`;
const SET_UPS: Readonly<Record<PackageManager, string>> = {
  npm: SET_UP,
  pnpm: `      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: corepack enable && pnpm install --frozen-lockfile
`,
};
const RUNS: Readonly<Record<PackageManager, string>> = { npm: 'npx adorn', pnpm: 'pnpm exec adorn' };

/** Adds a workflow for GitHub Actions that checks and tests each pull request. */
export function withCi(files: readonly TemplateFile[], packageManager: PackageManager): TemplateFile[] {
  const text = readFileSync(join(TEMPLATE_FOLDER, 'ci', 'ci.yml'), 'utf8')
    .replace(SET_UP, SET_UPS[packageManager])
    .replaceAll(RUNS.npm, RUNS[packageManager]);
  return [...files, { path: '.github/workflows/ci.yml', text }];
}
