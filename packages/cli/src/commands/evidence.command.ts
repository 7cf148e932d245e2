import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

import type { EvidenceReport, ExportOptions } from '@adorn/evidence';

import { closeOnSignal } from '../application/close-on-signal.js';
import { type CommandContext, defineCommand, defineGroup } from '../command/declaration.js';
import { WRONG_USE } from '../command/exit-codes.js';
import { flagOff, type Parameters, required, text, time, type ValuesOf } from '../command/parameter.js';
import { json, REQUIRED_FILE, STORE_OPTIONS } from '../command/shared-parameters.js';
import { writeWhole } from '../files/write-whole.js';
import { reportFailure } from 'adorn/main';
import { paletteFor } from '../terminal/palette.js';
import { printable } from 'adorn/main';
import { printJson } from '../terminal/print.js';
import { ProgressBar } from '../terminal/progress-bar.js';
import { UsageError } from '../usage.error.js';
import { loadRunner } from './load-runner.js';

const EXPORT = {
  ...STORE_OPTIONS,
  user: text('<id>', 'only the conversations of this user'),
  session: text('<id>', 'only this conversation'),
  invocation: text('<id>', 'only this run, and what continued it'),
  tool: text('<name>', 'only the calls of this tool'),
  since: time(
    '<time>',
    'only what was stored at this time or later, such as 2026-11-29 or 2026-11-29T08:00Z',
  ),
  until: time('<time>', 'only what was stored before this time'),
  contents: flagOff('leave contents out: rows have digests of them'),
  key: text('<file>', 'sign with the private Ed25519 key in this PEM file', { completes: 'files' }),
  out: text('<file>', 'write to this file (default: standard output)', { completes: 'files' }),
  json: json('nothing changes: rows are JSON'),
} satisfies Parameters;

const exportCommand = defineCommand({
  name: 'export',
  summary: 'write a chain of rows, one JSON object a line',
  arguments: { file: REQUIRED_FILE },
  options: EXPORT,
  notes: 'The file of --out is written whole or not at all.',
  examples: ['adorn evidence export . --store chats.db --out log.ndjson --key key.pem'],
  run: exportRows,
});

const VERIFY = {
  publicKey: text('<file>', 'check the signature with the public Ed25519 key in this PEM file', {
    completes: 'files',
  }),
  digest: text('<digest>', 'the digest of the last row, as it was noted elsewhere'),
  json: json('print the report as JSON'),
} satisfies Parameters;

const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'find the first row that was changed, removed, reordered or cut off',
  arguments: { file: required('<file>', 'an export', { completes: 'files' }) },
  options: VERIFY,
  exitCodes: { 0: 'nothing is wrong', 1: 'there is a fault', 2: 'the file could not be checked' },
  examples: ['adorn evidence verify log.ndjson --public-key key.pub.pem'],
  async run({ file, ...options }, context) {
    try {
      process.exitCode = await verifyFile(file, options, context);
    } catch (error) {
      reportFailure(error);
      process.exitCode = WRONG_USE;
    }
  },
});

/** `adorn evidence`: exports who asked, what was shown, who answered and what ran, and verifies an export. */
export const evidenceCommand = defineGroup({
  name: 'evidence',
  summary: 'export what was asked, answered and done, and verify an export',
  commands: [exportCommand, verifyCommand],
});

async function exportRows(
  { file, ...options }: ValuesOf<typeof EXPORT> & { readonly file: string },
  { bin, output, errors }: CommandContext,
): Promise<void> {
  const { exportEvidence } = await import('@adorn/evidence');
  const wanted = await optionsOf(options);
  await using runner = await loadRunner(file, bin, options);
  using _closing = closeOnSignal(runner);
  const lines = exportEvidence(runner, wanted);
  if (options.out === undefined) {
    for await (const line of lines) output.write(line);
    return;
  }
  await writeWhole(options.out, shown(lines, new ProgressBar(errors)));
}

/** Counts what passes on a progress bar. */
async function* shown(lines: AsyncIterable<string>, bar: ProgressBar): AsyncGenerator<string> {
  for await (const line of lines) {
    bar.step();
    yield line;
  }
  bar.clear();
}

async function optionsOf(options: ValuesOf<typeof EXPORT>): Promise<ExportOptions> {
  const { user: userId, session: sessionId, invocation: invocationId, key, ...rest } = options;
  const { tool, since, until, contents } = rest;
  const signWith = key === undefined ? undefined : await textIn(key);
  return { userId, sessionId, invocationId, tool, since, until, contents, signWith };
}

/** Returns the exit code. */
async function verifyFile(
  file: string,
  { publicKey, digest, json: isJson }: ValuesOf<typeof VERIFY>,
  { output }: CommandContext,
): Promise<number> {
  const { verifyEvidence } = await import('@adorn/evidence');
  const pem = publicKey === undefined ? undefined : await textIn(publicKey);
  const stream = createReadStream(file);
  void finished(stream).catch(() => undefined);
  const report = await verifyEvidence(stream, { publicKey: pem, digest }).catch((error: unknown) => {
    throw isSystemError(error) ? new UsageError(`${file} cannot be read: ${error.message}`) : error;
  });
  const paint = paletteFor(output);
  const { fault } = report;
  if (isJson) printJson(output, report);
  else if (fault) output.write(`${paint('failure', printable(`${fault.kind}: ${fault.message}`))}\n`);
  else for (const line of reportLines(report)) output.write(`${line}\n`);
  return fault ? 1 : 0;
}

function reportLines({ rows, withoutContents, signature, digest = '' }: EvidenceReport): string[] {
  const bare = withoutContents === 0 ? '' : `, ${String(withoutContents)} of them without contents`;
  return [`intact: ${String(rows)} rows${bare}`, `digest ${digest}`, SIGNATURES[signature]];
}

const SIGNATURES: Readonly<Record<EvidenceReport['signature'], string>> = {
  valid: 'signed by this key',
  invalid: 'not signed by this key',
  unchecked: 'signed; pass --public-key to check by whom',
  none: 'not signed: compare the digest with one that was noted elsewhere',
};

async function textIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${isSystemError(error) ? error.message : String(error)}`);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
