import type { ServerLimits } from '../server-options.js';
import { Quota } from './quota.js';

/** The limits of a server, complete. */
export type Limits = Required<ServerLimits>;

const MB = 1_048_576;

/** The limits that the options leave out are those that the documentation names. */
export function limitsOf(given: ServerLimits = {}): Limits {
  const bodyBytes = given.bodyBytes ?? 10 * MB;
  const streams = given.streams ?? 32;
  const speechBytes = given.speechBytes ?? 8 * MB;
  const userBodyBytes = given.userBodyBytes ?? Math.max(32 * MB, bodyBytes);
  return {
    bodyBytes,
    userBodyBytes,
    serverBodyBytes: given.serverBodyBytes ?? Math.max(128 * MB, userBodyBytes),
    bodyValues: given.bodyValues ?? 100_000,
    streams,
    serverStreams: given.serverStreams ?? Math.max(1_000, streams),
    speechBytes,
    serverSpeechBytes: given.serverSpeechBytes ?? Math.max(64 * MB, speechBytes),
    sessions: given.sessions ?? 10_000,
    stalledMs: given.stalledMs ?? 30_000,
  };
}

/** What users of a server hold at once. */
export interface Quotas {
  /** Streams that are open: runs that are read or waited for, and live conversations. */
  readonly streams: Quota;
  /** Bytes of bodies that are being read. */
  readonly bodies: Quota;
  /** Bytes of live conversations that their models have not taken. */
  readonly speech: Quota;
}

export function quotasOf(limits: Limits): Quotas {
  return {
    streams: new Quota(
      { perUser: limits.streams, perServer: limits.serverStreams },
      {
        counted: 'streams are open',
        userOption: 'limits.streams',
        serverOption: 'limits.serverStreams',
      },
    ),
    bodies: new Quota(
      { perUser: limits.userBodyBytes, perServer: limits.serverBodyBytes },
      {
        counted: 'bytes of bodies are being read',
        userOption: 'limits.userBodyBytes',
        serverOption: 'limits.serverBodyBytes',
      },
    ),
    speech: new Quota(
      { perUser: limits.speechBytes, perServer: limits.serverSpeechBytes },
      {
        counted: 'bytes of live conversations wait for their models',
        userOption: 'limits.speechBytes',
        serverOption: 'limits.serverSpeechBytes',
      },
    ),
  };
}
