import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type Section, timed } from '../check.js';
import type { Suite } from '../suite.js';
import { callOperations } from './call-operations.js';
import { checkDocument } from './check-document.js';
import { checkSplit } from './check-split.js';

const FOLDER = 'openapi';

/** Documents whose every operation is called, and which are also read with each operation in a file of its own. Prism ends on the parameters of readme-nasty, which a spec of styles covers. */
const CALLED = [
  'real/museum-3.1.yaml',
  'real/petstore-swagger-3.0.yaml',
  'real/notion.json',
  'real/box-v2026.json',
  'real/xero_assets.yaml',
  'real/twilio_lookups_v2.json',
];

/**
 * Published API descriptions as tools, declared and called. What a declaration has to hold, and the arguments of the calls, come
 * from Stoplight's reader of the documents; nothing that Adorn derives is an expectation.
 */
export const openapiConformance: Suite = {
  name: 'openapi',
  summary:
    'published API descriptions: every declaration and request, held against another reader of the documents',
  takes: 'one to two minutes',
  folder: FOLDER,
  async *run(fixtures: string): AsyncGenerator<Section> {
    const folder = join(fixtures, FOLDER);
    yield await declareAll(folder);
    yield await timed('documents whose operations are in files', async () => {
      const checks = [];
      for (const name of CALLED) checks.push(...(await checkSplit(name, join(folder, name))));
      return [{ name: 'declarations as of one file', checks }];
    });
    for (const name of CALLED) {
      yield await timed(name, async () => {
        const { calls, gate } = await callOperations(join(folder, name));
        const groups = [{ name: 'requests as described', checks: calls }];
        return gate.length === 0 ? groups : [...groups, { name: '401 asks anew', checks: gate }];
      });
    }
  },
};

async function declareAll(folder: string): Promise<Section> {
  const noted: string[] = [];
  const section = await timed('documents', async () => {
    const groups = [];
    for (const name of documentsIn(folder)) {
      const { checks, refused } = await checkDocument(name, join(folder, name));
      noted.push(...refused);
      groups.push(...checks);
    }
    return [{ name: 'declarations as described', checks: groups }];
  });
  return { ...section, leftOut: noted };
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
