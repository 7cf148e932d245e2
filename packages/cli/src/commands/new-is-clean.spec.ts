/** @slow */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ADDITIONS } from '../new/project-plan.js';
import { TEMPLATES } from '../new/template.js';
import { checkCommand } from './check.command.js';
import { newCommand } from './new.command.js';
import { printedBy } from './project.fixture.js';

const NAMES = Object.keys(TEMPLATES);

describe('what adorn new writes has nothing for adorn check to find', () => {
  let above: string;
  let folder: string;
  beforeEach(() => {
    // Inside of this package, from where the packages of Adorn are found.
    above = mkdtempSync(resolve('packages/cli/build/new-'));
    folder = join(above, 'my-app');
  });
  afterEach(() => {
    process.exitCode = undefined;
    rmSync(above, { recursive: true });
  });

  async function findings(...args: readonly string[]): Promise<unknown> {
    await printedBy(newCommand, [folder, ...args, '--no-install', '--json']);
    const { diagnostics, tools } = JSON.parse(await printedBy(checkCommand, [folder, '--json'])) as {
      readonly diagnostics: readonly unknown[];
      readonly tools: readonly unknown[];
    };
    expect(tools).not.toEqual([]);
    return diagnostics;
  }

  it.each(NAMES)('the template %s', async (name) => {
    expect(await findings('-t', name)).toEqual([]);
  });

  it.each(NAMES)('the template %s with all additions', async (name) => {
    expect(await findings('-t', name, '--with', ...ADDITIONS)).toEqual([]);
  });

  it.each(NAMES)('the agents of the template %s in an application that is there', async (name) => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true, skipLibCheck: true },
        include: ['src'],
      }),
    );

    expect(await findings('-t', name)).toEqual([]);
  });
});
