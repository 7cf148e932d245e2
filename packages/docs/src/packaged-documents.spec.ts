import { existsSync } from 'node:fs';
import { posix } from 'node:path';

import { ROOT } from './folders.js';
import { packagedDocuments } from './packaged-documents.js';

const documents = packagedDocuments(ROOT, ['packages/adorn', 'packages/core']);
const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/g;
const FENCE = /^```[\s\S]*?^```|`[^`\n]*`/gm;

describe('the documents in the package', () => {
  it('have the pages, the READMEs of the packages and no decisions', () => {
    expect([...documents.keys()]).toEqual(
      expect.arrayContaining([
        'llms.txt',
        'README.md',
        'first-program.md',
        'how/tool-call.md',
        'coming-from/adk.md',
        'packages/adorn.md',
        'packages/core.md',
      ]),
    );
    expect([...documents.keys()].filter((path) => /decisions|packages\/cli\.md/.test(path))).toEqual([]);
  });

  it('have each program that a page shows or runs, with the files that it imports', () => {
    const files = [...documents.values()].flatMap((text) =>
      [...text.matchAll(/^```\w+ file=((?:samples|packages\/cli)\/[\w./@-]+)$/gm)].map(
        ([, file = '']) => file,
      ),
    );

    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => !documents.has(file))).toEqual([]);
    expect(documents.has('samples/guides/src/expense-desk/expenses.ts')).toBe(true);
    expect(documents.has('samples/guides/src/chat.model.ts')).toBe(true);
    expect(documents.has('samples/guides/evals/refunds.evalset.json')).toBe(true);
    expect(documents.has('samples/guides/evals/weather.evalset.json')).toBe(true);
  });

  it('have no relative link that leads nowhere', () => {
    const pages = [...documents].filter(([path]) => /\.(md|txt)$/.test(path));
    const dead = pages.flatMap(([page, text]) =>
      [...text.replace(FENCE, '').matchAll(LINK)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .map((target) => posix.join(posix.dirname(page), target))
        .filter((path) => !documents.has(path) && !existsSync(`${ROOT}packages/adorn/${path.slice(3)}`))
        .map((path) => `${page} → ${path}`),
    );

    expect(dead).toEqual([]);
  });

  it('are less than 1.5 megabytes', () => {
    const bytes = [...documents.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(1_500_000);
  });
});
