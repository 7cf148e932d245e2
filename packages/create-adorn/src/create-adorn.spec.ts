import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { createAdorn } from './index.js';

it('creates an application with the arguments of npm create', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'create-adorn-'));
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const args = [join(folder, 'my-shop'), '--template', 'agents', '--no-install'];
    await createAdorn(args, { version: '1.2.3', bin: import.meta.url });

    expect(readFileSync(join(folder, 'my-shop/package.json'), 'utf8')).toContain('"name": "my-shop"');
    expect(readFileSync(join(folder, 'my-shop/src/desk.agent.ts'), 'utf8')).toContain('class Desk');
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
