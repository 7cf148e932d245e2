import { type KeyObject, verify } from 'node:crypto';

import { checkOptions, isObject, type OptionRules, rule, TEXT } from '@adorn/core/backend';

import { checkingKey } from './evidence-key.js';
import { digestOf, digestOfRow, EVIDENCE_VERSION, lineOf } from './evidence-row.js';
import { keyIdOf, signedText } from './export-evidence.js';

/** What an export is held against. */
export interface VerifyOptions {
  /** The public Ed25519 key of the one who signed: a `KeyObject`, or PEM. Default: no signature is checked. */
  readonly publicKey?: KeyObject | string;
  /** The digest of the last row, as it was noted elsewhere. Default: not compared. */
  readonly digest?: string;
}

const VERIFY_OPTIONS: OptionRules<VerifyOptions> = {
  publicKey: rule((value) => typeof value === 'string' || isObject(value), 'Pass a KeyObject or PEM.'),
  digest: TEXT,
};

/**
 * What is wrong with a row:
 *
 * - `unreadable`: it is no JSON object of this format
 * - `changed`: it does not fit its digest, its contents do not fit theirs, or it was put in the place of another row
 * - `removed`: one or more rows before it are missing
 * - `reordered`: it comes before rows that belong before it
 * - `repeated`: it has been there before
 * - `cut`: the file ends before its last row
 * - `added`: it comes after the last row
 * - `signature`: the last row is not signed by the key
 * - `digest`: the last row has another digest than the noted one
 */
export type EvidenceFaultKind =
  'unreadable' | 'changed' | 'removed' | 'reordered' | 'repeated' | 'cut' | 'added' | 'signature' | 'digest';

/** The first thing that is wrong with an export. */
export interface EvidenceFault {
  readonly kind: EvidenceFaultKind;
  /** The number of the line, from 1. */
  readonly line: number;
  /** A sentence for people. */
  readonly message: string;
}

/** What was found out about an export. */
export interface EvidenceReport {
  /** True if nothing is wrong. An export that nobody signed may all the same have been written anew as a whole. */
  readonly isIntact: boolean;
  /** The first fault. Absent if there is none. */
  readonly fault?: EvidenceFault;
  /** How many rows are between the header and the end, up to the fault. */
  readonly rows: number;
  /** How many of the rows have had their contents left out or taken out. */
  readonly withoutContents: number;
  /** Whether somebody has signed it. `unchecked`: no key was given. */
  readonly signature: 'valid' | 'invalid' | 'unchecked' | 'none';
  /** The digest of the last row. Absent if it is missing. */
  readonly digest?: string;
}

/**
 * Checks an export: each row by its digest and its place, the end, and the signature. Returns the first fault.
 *
 * @param lines the lines, or pieces of the file of any size, or the whole text
 * @throws {OptionInvalidError | EvidenceKeyInvalidError}
 */
export async function verifyEvidence(
  lines: string | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  options: VerifyOptions = {},
): Promise<EvidenceReport> {
  checkOptions('verifyEvidence', options, VERIFY_OPTIONS);
  const { publicKey, digest } = options;
  const key = publicKey === undefined ? undefined : checkingKey(publicKey);
  const check = new EvidenceCheck(key, digest);
  let fault: EvidenceFault | undefined;
  for await (const line of linesIn(typeof lines === 'string' ? [lines] : lines)) {
    // Lines behind the first fault tell what has happened: a row that is missing may come later.
    if (fault) check.lookFor(line);
    else fault = check.next(line);
  }
  return check.report(fault);
}

type Row = Readonly<Record<string, unknown>>;

/** The state of one check. */
class EvidenceCheck {
  private line = 0;
  private prev = '';
  private header: Row | undefined;
  private end: Row | undefined;
  private bare = 0;
  /** The number of a row that was expected and not there; undefined if all were. */
  private missing: number | undefined;
  private isMissingLater = false;
  private readonly digests = new Set<unknown>();

  constructor(
    private readonly key: KeyObject | undefined,
    private readonly digest: string | undefined,
  ) {}

  next(text: string): EvidenceFault | undefined {
    this.line++;
    const row = rowIn(text);
    if (typeof row === 'string') return this.fault('unreadable', row);
    const fault = this.placeFault(row) ?? this.rowFault(row, text);
    if (fault) return fault;
    this.digests.add(row['digest']);
    this.prev = String(row['digest']);
    if (row['sha256'] !== undefined && row['contents'] === undefined) this.bare++;
    if (this.line === 1) this.header = row;
    if (row['kind'] === 'end') this.end = row;
    return undefined;
  }

  /** Notes whether the row that is missing comes later. */
  lookFor(text: string): void {
    const row = rowIn(text);
    if (typeof row !== 'string' && row['no'] === this.missing) this.isMissingLater = true;
  }

  report(found: EvidenceFault | undefined): EvidenceReport {
    const fault = found?.kind === 'removed' && this.isMissingLater ? this.reordered(found) : found;
    const last = fault ?? this.endFault();
    const rows = this.line - 1 - (this.end || fault ? 1 : 0);
    const signature = this.signature();
    const digest = this.end && String(this.end['digest']);
    return {
      isIntact: last === undefined,
      ...(last && { fault: last }),
      rows: Math.max(0, rows),
      withoutContents: this.bare,
      signature,
      ...(digest !== undefined && { digest }),
    };
  }

  /** What is wrong with the place of a row. */
  private placeFault(row: Row): EvidenceFault | undefined {
    const { no, digest } = row;
    const expected = this.line - 1;
    if (this.end) return this.fault('added', 'it comes after the last row');
    if (no !== expected && this.digests.has(digest))
      return this.fault('repeated', `the row ${String(no)} has been there before`);
    if (typeof no !== 'number' || no < expected) return undefined;
    if (no > expected) {
      this.missing = expected;
      const missing =
        no - expected === 1
          ? `row ${String(expected)} is`
          : `rows ${String(expected)} to ${String(no - 1)} are`;
      return this.fault('removed', `${missing} missing before it`);
    }
    return undefined;
  }

  /** What is wrong with a row at its place. */
  private rowFault(row: Row, text: string): EvidenceFault | undefined {
    const { no, prev, digest, kind } = row;
    const isHeader = kind === 'header';
    if (isHeader && (row['format'] !== 'adorn-evidence' || row['version'] !== EVIDENCE_VERSION))
      return this.fault('unreadable', `it is of another format or version than ${String(EVIDENCE_VERSION)}`);
    if (digestOfRow(row) !== digest) return this.fault('changed', 'it does not fit its digest');
    if (no !== this.line - 1)
      return this.fault('changed', `its number is ${String(no)}, not ${String(this.line - 1)}`);
    if (prev !== this.prev) return this.fault('changed', 'it does not continue the row before it');
    if (isHeader !== (this.line === 1)) return this.fault('changed', 'the header is not the first row');
    if (kind === 'end' && row['rows'] !== this.line - 2)
      return this.fault(
        'changed',
        `it counts ${String(row['rows'])} rows, and there are ${String(this.line - 2)}`,
      );
    const changed = changedContent(row);
    if (changed !== undefined) return this.fault('changed', `its ${changed} does not fit the digest of it`);
    return lineOf(row) === `${text}\n`
      ? undefined
      : this.fault('changed', 'it is not written as canonical JSON');
  }

  private endFault(): EvidenceFault | undefined {
    if (!this.end) {
      this.line++;
      return this.fault('cut', this.line === 1 ? 'the file is empty' : 'the file ends before its last row');
    }
    if (this.digest !== undefined && this.digest !== this.end['digest'])
      return this.fault(
        'digest',
        `the last row has the digest ${String(this.end['digest'])}, not the noted one`,
      );
    const signature = this.signature();
    if (signature === 'invalid') return this.fault('signature', 'the last row is not signed by this key');
    if (signature === 'none' && (this.key || this.header?.['key'] !== undefined))
      return this.fault('signature', 'the last row is not signed');
    return undefined;
  }

  private signature(): EvidenceReport['signature'] {
    const { key, end, header } = this;
    const signature = end?.['signature'];
    if (typeof signature !== 'string') return 'none';
    if (!key) return 'unchecked';
    const text = signedText(String(end?.['digest']));
    const isValid =
      header?.['key'] === keyIdOf(key) && verify(null, text, key, Buffer.from(signature, 'base64url'));
    return isValid ? 'valid' : 'invalid';
  }

  private reordered({ line }: EvidenceFault): EvidenceFault {
    const message = `Line ${String(line)}: row ${String(this.missing)} comes later than it should.`;
    return { kind: 'reordered', line, message };
  }

  private fault(kind: EvidenceFaultKind, what: string): EvidenceFault {
    return { kind, line: this.line, message: `Line ${String(this.line)}: ${what}.` };
  }
}

/** The name of one of the contents of a row that does not fit its digest; undefined if all do. */
function changedContent({ contents, sha256 }: Row): string | undefined {
  if (contents === undefined) return undefined;
  const digests = isObject(sha256) ? sha256 : {};
  if (!isObject(contents)) return 'contents';
  const names = new Set([...Object.keys(contents), ...Object.keys(digests)]);
  return [...names].find((name) => {
    const value = Object.hasOwn(contents, name) ? contents[name] : undefined;
    return value === undefined || !Object.hasOwn(digests, name) || digestOf(value) !== digests[name];
  });
}

/** A row, or what is wrong with the line. */
function rowIn(text: string): Row | string {
  try {
    const row: unknown = JSON.parse(text);
    return isObject(row) ? row : 'it is no JSON object';
  } catch {
    return 'it is no JSON';
  }
}

/** The lines of a text that comes in pieces; the last one may end without a line feed. */
async function* linesIn(
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
