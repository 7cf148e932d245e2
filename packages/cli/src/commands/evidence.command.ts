import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';

import { type EvidenceReport, exportEvidence, type ExportOptions, verifyEvidence } from '@adorn/evidence';
import { Command } from 'commander';

import { reportFailure } from '../report-failure.js';
import { type Output, paletteFor } from '../terminal/palette.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage.error.js';
import { loadRunner, type LoadOptions } from './load-runner.js';

/**
 * `adorn evidence`: exports who asked, what was shown, who answered and what ran, and verifies an export.
 *
 * @param bin the URL of the command
 */
export function evidenceCommand(bin: string, output: Output = process.stdout): Command {
  return new Command('evidence')
    .description('export what was asked, answered and done, and verify an export')
    .addCommand(exporting(bin, output))
    .addCommand(verifying(output));
}

interface ExportFlags extends LoadOptions {
  readonly user?: string;
  readonly session?: string;
  readonly invocation?: string;
  readonly tool?: string;
  readonly since?: string;
  readonly until?: string;
  readonly contents: boolean;
  readonly key?: string;
  readonly out?: string;
}

function exporting(bin: string, output: Output): Command {
  return new Command('export')
    .description('write a chain of rows, one JSON object a line')
    .argument('<file>', 'a .js or .ts file that exports an agent or a runner, or a folder that holds one')
    .option('--store <url>', 'the store of conversations: a SQLite file or postgres://…')
    .option('--app <name>', "the application's name (default: the agent's)")
    .option('--user <id>', 'only the conversations of this user')
    .option('--session <id>', 'only this conversation')
    .option('--invocation <id>', 'only this run, and what continued it')
    .option('--tool <name>', 'only the calls of this tool')
    .option(
      '--since <time>',
      'only what was stored at this time or later, such as 2026-11-29 or 2026-11-29T08:00Z',
    )
    .option('--until <time>', 'only what was stored before this time')
    .option('--no-contents', 'leave contents out: rows have digests of them')
    .option('--key <file>', 'sign with the private Ed25519 key in this PEM file')
    .option('--out <file>', 'write to this file (default: standard output)')
    .action((file: string, flags: ExportFlags) => exportTo(file, bin, { flags, output }));
}

function verifying(output: Output): Command {
  return new Command('verify')
    .description('find the first row that was changed, removed, reordered or cut off')
    .argument('<file>', 'an export')
    .option('--public-key <file>', 'check the signature with the public Ed25519 key in this PEM file')
    .option('--digest <digest>', 'the digest of the last row, as it was noted elsewhere')
    .addHelpText(
      'after',
      '\nThe exit code is 0 if nothing is wrong, 1 for a fault, and 2 if the file could not be checked.\n',
    )
    .action(async (file: string, flags: VerifyFlags) => {
      try {
        process.exitCode = await verifyFile(file, flags, output);
      } catch (error) {
        reportFailure(error);
        process.exitCode = 2;
      }
    });
}

interface Exporting {
  readonly flags: ExportFlags;
  readonly output: Output;
}

async function exportTo(file: string, bin: string, { flags, output }: Exporting): Promise<void> {
  const options = await optionsOf(flags);
  await using runner = await loadRunner(file, bin, flags);
  const lines = exportEvidence(runner, options);
  if (flags.out === undefined) {
    for await (const line of lines) output.write(line);
    return;
  }
  await pipeline(lines, createWriteStream(flags.out));
}

async function optionsOf(flags: ExportFlags): Promise<ExportOptions> {
  const { user: userId, session: sessionId, invocation: invocationId, tool, contents, key } = flags;
  const since = timeOf('--since', flags.since);
  const until = timeOf('--until', flags.until);
  const signWith = key === undefined ? undefined : await textIn(key);
  return { userId, sessionId, invocationId, tool, since, until, contents, signWith };
}

function timeOf(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${option} "${text}" is no time. Pass one such as 2026-11-29 or 2026-11-29T08:00Z.`);
  return time;
}

interface VerifyFlags {
  readonly publicKey?: string;
  readonly digest?: string;
}

/** Returns the exit code. */
async function verifyFile(file: string, { publicKey, digest }: VerifyFlags, output: Output): Promise<number> {
  const pem = publicKey === undefined ? undefined : await textIn(publicKey);
  const stream = createReadStream(file);
  void finished(stream).catch(() => undefined);
  const report = await verifyEvidence(stream, { publicKey: pem, digest }).catch((error: unknown) => {
    throw isSystemError(error) ? new UsageError(`${file} cannot be read: ${error.message}`) : error;
  });
  const paint = paletteFor(output);
  const { fault } = report;
  if (fault) output.write(`${paint('failure', printable(`${fault.kind}: ${fault.message}`))}\n`);
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
