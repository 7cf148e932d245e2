import { readFileSync } from 'node:fs';

import { RULES } from './rules.js';

it('has every rule on its page, under its severity, and no other', () => {
  const page = readFileSync('packages/docs/check.md', 'utf8');
  const sections = page.split(/^## /m);
  const documented = { error: 'Errors', warning: 'Warnings', note: 'Notes' };

  for (const [severity, title] of Object.entries(documented)) {
    const section = sections.find((one) => one.startsWith(title)) ?? '';
    const names = [...section.matchAll(/^### `([a-z-]+)`$/gm)].map(([, name]) => name);
    const rules = RULES.filter((rule) => rule.severity === severity).map(({ name }) => name);

    expect(names.sort()).toEqual(rules.sort());
  }
});
