import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findPackageManager } from './package-manager.js';

describe('findPackageManager', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-pm-'));

  afterEach(() => {
    rmSync(join(folder, 'yarn.lock'), { force: true });
    rmSync(join(folder, 'pnpm-lock.yaml'), { force: true });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['npm/11.0.0 node/v22.12.0', 'npm'],
    ['pnpm/10.1.0 npm/? node/v22.12.0', 'pnpm'],
    [undefined, 'npm'],
  ])('is the one that runs the command (%s)', (userAgent, expected) => {
    expect(findPackageManager(folder, userAgent)).toBe(expected);
  });

  it('is that of the lock file first, and none of ours where the lock file is of another', () => {
    writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
    expect(findPackageManager(folder, 'npm/11.0.0')).toBe('pnpm');

    rmSync(join(folder, 'pnpm-lock.yaml'));
    writeFileSync(join(folder, 'yarn.lock'), '');
    expect(findPackageManager(folder, 'npm/11.0.0')).toBeUndefined();
  });
});
