import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto';

import type { Session, SessionService } from '@adorn/core';
import {
  BOOLEAN,
  chainedInvocations,
  checkOptions,
  isObject,
  type OptionRules,
  rule,
  TEXT,
} from '@adorn/core/backend';

import { signingKey } from './evidence-key.js';
import {
  chained,
  EVIDENCE_VERSION,
  type EvidenceEnd,
  type EvidenceHeader,
  type EvidenceQuery,
  lineOf,
  type UnchainedRow,
} from './evidence-row.js';
import { factsOfSession, type FoundFact } from './facts-of-session.js';

/** Where the log is: a runner, or the name of an application and the sessions. */
export interface EvidenceSource {
  /** The application whose sessions are read. */
  readonly appName: string;
  /** The store that has the log. */
  readonly sessions: SessionService;
}

/** What is exported, and how. */
export interface ExportOptions extends EvidenceQuery {
  /** False leaves contents out: rows have only digests of messages, arguments, hints and results. Default: true. */
  readonly contents?: boolean;
  /** A private Ed25519 key, which signs the last row: a `KeyObject`, or PEM. Default: not signed. */
  readonly signWith?: KeyObject | string;
}

const DATE = rule((value) => value instanceof Date && Number.isFinite(value.getTime()), 'Pass a Date.');

const EXPORT_OPTIONS: OptionRules<ExportOptions> = {
  userId: TEXT,
  sessionId: TEXT,
  invocationId: TEXT,
  tool: TEXT,
  since: DATE,
  until: DATE,
  contents: BOOLEAN,
  signWith: rule((value) => typeof value === 'string' || isObject(value), 'Pass a KeyObject or PEM.'),
};

/**
 * Exports what the log says of who asked, what was shown, who answered with which role, and what ran: one line of JSON for each
 * row, in a chain by which a change is found. Reads one session after the other, by user and session id.
 *
 * ```ts
 * for await (const line of exportEvidence(runner, { userId: 'ada' })) file.write(line);
 * ```
 *
 * @param source a runner, or `{ appName, sessions }`
 * @returns lines that end with a line feed: the header, the rows, and the end
 * @throws {OptionInvalidError | EvidenceKeyInvalidError} when the first line is asked for
 * @throws {NotSupportedError} without a `userId`, if the session service cannot list the sessions of all users
 */
export async function* exportEvidence(
  { appName, sessions }: EvidenceSource,
  options: ExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  checkOptions('exportEvidence', options, EXPORT_OPTIONS);
  const { contents = true, signWith, ...query } = options;
  const signing = signWith === undefined ? undefined : signingKey(signWith);
  const chain = new Chain(contents);
  yield chain.lineFor({ row: headerOf(appName, query, signing) });
  for (const key of await sessionsOf({ appName, sessions }, query)) {
    const session = await sessions.getSession(key);
    if (session) for (const fact of wantedFacts(session, query)) yield chain.lineFor(fact);
  }
  yield chain.lastLine(signing);
}

/** The text that is signed. */
export function signedText(digest: string): Buffer {
  return Buffer.from(`adorn-evidence ${String(EVIDENCE_VERSION)} ${digest}`);
}

/** The id of a public key: SHA-256 of its DER, as base64url. */
export function keyIdOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url');
}

/** The lines of one export. */
class Chain {
  private no = 0;
  private prev = '';

  constructor(private readonly withContents: boolean) {}

  lineFor(unchained: UnchainedRow): string {
    return lineOf(this.add(unchained));
  }

  lastLine(signing: KeyObject | undefined): string {
    const end: EvidenceEnd = { kind: 'end', rows: this.no - 1 };
    const row = this.add({ row: end });
    if (!signing) return lineOf(row);
    return lineOf({ ...row, signature: sign(null, signedText(row.digest), signing).toString('base64url') });
  }

  private add(unchained: UnchainedRow) {
    const row = chained(unchained, { no: this.no, prev: this.prev }, this.withContents);
    this.no++;
    this.prev = row.digest;
    return row;
  }
}

function headerOf(appName: string, query: EvidenceQuery, signing: KeyObject | undefined): EvidenceHeader {
  const stated = Object.entries(query).flatMap(([name, value]: [string, string | Date | undefined]) =>
    value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
  );
  const header: EvidenceHeader = {
    kind: 'header',
    format: 'adorn-evidence',
    version: EVIDENCE_VERSION,
    appName,
    query: Object.fromEntries(stated) as EvidenceHeader['query'],
    exportedAt: new Date().toISOString(),
  };
  return signing ? { ...header, key: keyIdOf(createPublicKey(signing)) } : header;
}

/** The addresses of the wanted sessions, by user and id: two exports of one log have the same order. */
async function sessionsOf({ appName, sessions }: EvidenceSource, { userId, sessionId }: EvidenceQuery) {
  if (userId !== undefined && sessionId !== undefined) return [{ appName, userId, sessionId }];
  const found: { readonly appName: string; readonly userId: string; readonly sessionId: string }[] = [];
  if (userId !== undefined) {
    for (const { id } of await sessions.listSessions({ appName, userId }, { state: false }))
      found.push({ appName, userId, sessionId: id });
  } else {
    for await (const listed of sessions.allSessions(appName))
      if (sessionId === undefined || listed.sessionId === sessionId) found.push(listed);
  }
  const place = ({ userId: user, sessionId: id }: (typeof found)[number]) => JSON.stringify([user, id]);
  return found.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

function wantedFacts(session: Session, { invocationId, tool, since, until }: EvidenceQuery): FoundFact[] {
  const run = invocationId === undefined ? undefined : chainedInvocations(session, invocationId);
  const from = since ? since.getTime() / 1000 : -Infinity;
  const to = until ? until.getTime() / 1000 : Infinity;
  return factsOfSession(session).filter(({ row }) => {
    const isOfTool = tool === undefined || ('tool' in row && row.tool === tool);
    return isOfTool && row.at >= from && row.at < to && (run?.has(row.invocationId) ?? true);
  });
}
