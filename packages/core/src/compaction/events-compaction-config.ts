import { AdornError, ANY, optionFault, type OptionRules, wholeFrom } from '@adorn/schema';
import type { ServiceToken } from '../run/invocation-services.js';
import type { EventSummarizer } from './event-summarizer.js';

/** Summarises after a number of runs. */
export interface IntervalCompaction {
  /** Runs since the last summary. Default: 5, but none if only a `tokenThreshold` is given. */
  readonly compactionInterval?: number;
  /** Events of the last summary that the next one includes again. Default: 2. */
  readonly overlapSize?: number;
  /** Absent: with it, the options are those of {@link TokenCompaction}. */
  readonly tokenThreshold?: undefined;
  /** Absent: an option of {@link TokenCompaction}. */
  readonly eventRetentionSize?: undefined;
}

/** Summarises when a number of tokens is reached. Checked before the interval. */
export interface TokenCompaction {
  /** Prompt tokens, as last reported by the model, at which all but the latest events are summarised. */
  readonly tokenThreshold: number;
  /** The number of latest events that are not summarised. */
  readonly eventRetentionSize: number;
  /** In addition to the threshold: summarises after this number of runs. Default: never. */
  readonly compactionInterval?: number;
  /** With an interval: events of the last summary that the next one includes again. Default: 2. */
  readonly overlapSize?: number;
}

/** When conversations are summarised, and by which summarizer. The names are the ADK's. */
export type EventsCompactionConfig = (IntervalCompaction | TokenCompaction) & {
  /** An instance or its service identifier. Default: the binding of `EventSummarizer`, else the root agent's model. */
  readonly summarizer?: EventSummarizer | ServiceToken<EventSummarizer>;
};

/** The config with all defaults. */
export interface CompactionRules {
  /** After how many runs, and how many summarised events are included again; undefined: not by runs. */
  readonly interval: { readonly runs: number; readonly overlap: number } | undefined;
  /** From how many tokens on, and how many latest events are kept; undefined: not by tokens. */
  readonly threshold: { readonly tokens: number; readonly retention: number } | undefined;
}

const DEFAULT_INTERVAL = 5;
const DEFAULT_OVERLAP = 2;

const OPTIONS: OptionRules<EventsCompactionConfig> = {
  compactionInterval: wholeFrom(1),
  overlapSize: wholeFrom(0),
  tokenThreshold: wholeFrom(1),
  eventRetentionSize: wholeFrom(0),
  // An instance, or any identifier of a service.
  summarizer: ANY,
};

/** @throws {CompactionConfigInvalidError} */
export function compactionRules(config: EventsCompactionConfig): CompactionRules {
  const found = optionFault(config, OPTIONS);
  if (found) throw new CompactionConfigInvalidError(found.fault, found.cure);
  const { tokenThreshold: tokens, eventRetentionSize: retention }: Partial<TokenCompaction> = config;
  if (tokens === undefined || retention === undefined) {
    requireNeither(tokens, retention);
    return { interval: intervalOf(config), threshold: undefined };
  }
  if (config.compactionInterval === undefined && config.overlapSize !== undefined) {
    throw new CompactionConfigInvalidError(
      'overlapSize has no effect without a compactionInterval where a tokenThreshold is given',
      'Set a compactionInterval too, or omit overlapSize.',
    );
  }
  return {
    interval: config.compactionInterval === undefined ? undefined : intervalOf(config),
    threshold: { tokens, retention },
  };
}

function intervalOf({
  compactionInterval,
  overlapSize,
}: EventsCompactionConfig): CompactionRules['interval'] {
  return { runs: compactionInterval ?? DEFAULT_INTERVAL, overlap: overlapSize ?? DEFAULT_OVERLAP };
}

function requireNeither(tokens: number | undefined, retention: number | undefined): void {
  if (tokens === undefined && retention === undefined) return;
  const [given, missing] =
    tokens === undefined
      ? ['eventRetentionSize', 'tokenThreshold']
      : ['tokenThreshold', 'eventRetentionSize'];
  throw new CompactionConfigInvalidError(
    `${given} is given without ${missing}`,
    'Give both: the token count from which on events are summarised, and the number of latest events to keep.',
  );
}

/** The compaction config of a runner is invalid. */
export class CompactionConfigInvalidError extends AdornError {
  readonly code = 'COMPACTION_CONFIG_INVALID';

  constructor(fault: string, cure: string) {
    super(`Invalid compaction config: ${fault}. ${cure}`);
  }
}
