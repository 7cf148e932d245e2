import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { InterruptedError } from '../interrupted.error.js';
import { UsageError } from '../usage.error.js';
import { packageNameFault } from './package-name.js';
import { type TemplateName, TEMPLATES } from './template.js';

export interface Wishes {
  readonly folder?: string | undefined;
  readonly template?: TemplateName | undefined;
}

/**
 * Asks for the folder and the template if they are not given. Without a terminal the template is `minimal`.
 *
 * @throws {UsageError} if there is no folder and nobody to ask
 * @throws {InterruptedError} if the questions are cancelled
 */
export async function askMissing({
  folder,
  template,
}: Wishes): Promise<Required<{ folder: string; template: TemplateName }>> {
  if (process.stdin.isTTY) {
    return { folder: folder ?? (await askFolder()), template: template ?? (await askTemplate()) };
  }
  if (folder === undefined) throw new UsageError('Name the folder of the application: adorn new my-app');
  return { folder, template: template ?? 'minimal' };
}

async function askFolder(): Promise<string> {
  const { text } = await import('@clack/prompts');
  return answered(
    await text({
      message: 'Which folder?',
      initialValue: 'my-app',
      validate: (folder = '') =>
        existsSync(join(folder, 'package.json')) ? undefined : packageNameFault(basename(resolve(folder))),
    }),
  );
}

async function askTemplate(): Promise<TemplateName> {
  const { select } = await import('@clack/prompts');
  const options = (Object.keys(TEMPLATES) as TemplateName[]).map((value) => ({
    value,
    hint: TEMPLATES[value].description,
  }));
  return answered(await select({ message: 'Which template?', options }));
}

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (typeof answer === 'symbol') throw new InterruptedError('Cancelled. Nothing was written.');
  return answer as Exclude<Answer, symbol>;
}
