import type { Runner } from 'adorn';
import { printable } from 'adorn/main';
import type { SettleOptions, UnknownEffect } from 'adorn/backend';

import { closeOnSignal } from '../application/close-on-signal.js';
import { type CommandContext, defineCommand } from '../command/declaration.js';
import { type Parameters, text, texts, type ValuesOf } from '../command/parameter.js';
import { FILE, json, STORE_OPTIONS } from '../command/shared-parameters.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { printJsonLine, printLine } from '../terminal/print.js';
import { UsageError } from '../usage.error.js';
import { loadRunner } from './load-runner.js';
import { principalOf } from './principal-of.js';

const OPTIONS = {
  ...STORE_OPTIONS,
  settle: text('<id>', 'this effect took place; give its --result', { conflicts: ['free'] }),
  result: text('<json>', 'what the tool would have returned: later calls get it'),
  free: text('<id>', 'this effect did not take place: the next call for it runs'),
  reason: text('<text>', 'how that is known'),
  by: text('<id>', 'who has looked'),
  role: texts('<name>', 'a role of the person of --by; may be repeated'),
  tenant: text('<name>', 'the tenant of the person of --by'),
  json: json('print each effect as a line of JSON'),
} satisfies Parameters;

type EffectsOptions = ValuesOf<typeof OPTIONS>;

/** `adorn effects`: the effects of `once` whose outcome is unknown, and what became of one of them. */
export const effectsCommand = defineCommand({
  name: 'effects',
  summary: 'list the effects of tools whose outcome is unknown, and say what became of one',
  arguments: { file: FILE },
  options: OPTIONS,
  notes: `
An effect of "once" is unknown if its process died, or its tool failed without saying that nothing happened: no call has it again.
Look whether it took place, and say so. Who may is decided by "approvers" of the tool; it is stored in the log of the call.`,
  exitCodes: { 1: 'the person may not say so, or the effect was settled before; nothing was changed' },
  examples: [
    'adorn effects . --store chats.db',
    `adorn effects . --store chats.db --settle 4f2a --result '{"receipt":"R-7"}' --by mia --role lead`,
    'adorn effects . --store chats.db --free 4f2a --by mia --role lead --reason "The bank has no such payment."',
  ],
  run: showEffects,
});

async function showEffects(
  { file, ...options }: EffectsOptions & { readonly file: string },
  { bin, output }: CommandContext,
): Promise<void> {
  const id = options.settle ?? options.free;
  const said = id === undefined ? undefined : wordOf(options);
  await using runner = await loadRunner(file, bin, options);
  using _closing = closeOnSignal(runner);
  if (id === undefined || said === undefined) await list(runner, options, output);
  else await settle(runner, id, said, options, output);
}

async function list(
  runner: Runner<unknown>,
  { json: isJson }: EffectsOptions,
  output: Output,
): Promise<void> {
  const effects = await runner.unknownEffects();
  for (const effect of effects) {
    if (isJson) printJsonLine(output, effect);
    else output.write(`${lineOf(effect, output)}\n`);
  }
  if (!isJson) output.write(`${String(effects.length)} of unknown outcome\n`);
}

function lineOf({ id, tool, by, at, call }: UnknownEffect, output: Output): string {
  const place = call ? `${call.userId}/${call.sessionId}` : 'its conversation was deleted';
  const args = call ? ` ${JSON.stringify(call.args)}` : '';
  const facts = [new Date(at * 1_000).toISOString(), place, `${tool}${args}`, `asked by ${by}`];
  return `${paletteFor(output)('title', printable(id))}  ${printable(facts.join('  '))}`;
}

/** What the options say of an effect. */
function wordOf(options: EffectsOptions): SettleOptions {
  const { settle: settled, result, reason, by } = options;
  if (by === undefined)
    throw new UsageError('Nothing says who has looked. Pass --by, such as --by mia --role lead.');
  const said = { by: principalOf(by, options), reason };
  if (settled === undefined) {
    if (result !== undefined) throw new UsageError('--result is for --settle: what is freed has none.');
    return { ...said, happened: false };
  }
  if (result === undefined)
    throw new UsageError(`--settle needs --result, such as --result '{"receipt":"R-7"}', or --result null.`);
  return { ...said, happened: true, result: jsonOf(result) };
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given) as unknown;
  } catch {
    throw new UsageError(`--result is no JSON. A text needs its quotes: --result '"R-7"'.`);
  }
}

async function settle(
  runner: Runner<unknown>,
  id: string,
  said: SettleOptions,
  { json: isJson, by = '' }: EffectsOptions,
  output: Output,
): Promise<void> {
  const settlement = await runner.settleEffect({ id }, said);
  if (isJson) printJsonLine(output, settlement);
  else printLine(output, `${id} ${said.happened ? 'settled' : 'freed'} by ${by}: ${settlement.tool}`);
}
