import { resolve } from 'node:path';

import { AdornError } from '@adorn/core';

import { type CommandContext, defineCommand } from '../command/declaration.js';
import { FAILED } from '../command/exit-codes.js';
import { type Parameter, type Parameters, text, type ValuesOf } from '../command/parameter.js';
import { json, STORE_OPTIONS } from '../command/shared-parameters.js';
import { CommandFailedError } from '../command-failed.error.js';
import { checkKeys } from '../doctor/check-keys.js';
import { checkPackages } from '../doctor/check-packages.js';
import { checkSandboxes } from '../doctor/check-sandboxes.js';
import { checkStore } from '../doctor/check-store.js';
import { checkTsconfig } from '../doctor/check-tsconfig.js';
import type { Finding } from '../doctor/finding.js';
import type { Tone } from '../terminal/palette.js';
import { paletteFor } from '../terminal/palette.js';
import { printJson } from '../terminal/print.js';
import { printable } from 'adorn/main';
import { UsageError } from '../usage.error.js';
import { loadRunner } from './load-runner.js';

const FILE: Parameter<string | undefined> = {
  placeholder: '[file]',
  description: 'an application to load and wire, too (default: none)',
  completes: 'files',
};

const OPTIONS = {
  project: text('<folder>', 'the folder of the project', { short: 'p', fallback: '.', completes: 'files' }),
  store: STORE_OPTIONS.store,
  json: json('print the findings as JSON'),
} satisfies Parameters;

/** `adorn doctor`: what may be wrong with a project and its machine, and what to do. */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'find what is wrong with a project and its machine, and say what to do',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
It looks at Node, the versions of the packages of Adorn, the keys in the environment, the options of tsconfig.json, the sandboxes of this
machine, the store of --store and, if a file is named, whether its application can be wired. No model is called, nothing is written, and
no key is printed.`,
  exitCodes: { 1: 'there is a fault' },
  examples: ['adorn doctor', 'adorn doctor src/support.agent.ts --store "$DATABASE_URL"'],
  run: examine,
});

async function examine(
  { file, project, store, json: isJson }: ValuesOf<typeof OPTIONS> & { readonly file: string | undefined },
  { version, bin, output }: CommandContext,
): Promise<void> {
  const folder = resolve(project);
  const findings = [
    { about: 'Node', status: 'fine', text: `${process.versions.node}, adorn ${version}` } as const,
    checkPackages(folder),
    ...checkKeys(folder, process.env),
    ...checkTsconfig(folder),
    await checkSandboxes(),
    ...(store === undefined ? [] : [await checkStore(store)]),
    ...(file === undefined ? [] : [await checkApplication(file, bin)]),
  ];
  if (isJson) printJson(output, findings);
  else output.write(textOf(findings, paletteFor(output)));
  if (findings.some(({ status }) => status === 'fault')) process.exitCode = FAILED;
}

/** Loads an application and creates its runner: wrong wiring fails then. */
async function checkApplication(file: string, bin: string): Promise<Finding> {
  const about = 'application';
  try {
    await using runner = await loadRunner(file, bin, {});
    return { about, status: 'fine', text: `${runner.appName} is wired` };
  } catch (error) {
    const isOurs = AdornError.is(error) || error instanceof CommandFailedError || error instanceof UsageError;
    if (!isOurs) throw error;
    return { about, status: 'fault', text: error.message };
  }
}

const TONES: Readonly<Record<Finding['status'], Tone>> = {
  fine: 'result',
  note: 'note',
  warning: 'warning',
  fault: 'failure',
};

function textOf(findings: readonly Finding[], paint: ReturnType<typeof paletteFor>): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ about, status, text: found, cure }) => [
    `${paint(TONES[status], status.padEnd(7))}  ${about.padEnd(width)}  ${printable(found)}`,
    ...(cure === undefined ? [] : [`${' '.repeat(11 + width)}→ ${printable(cure)}`]),
  ]);
  return `${lines.join('\n')}\n`;
}
