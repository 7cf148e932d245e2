import { existsSync } from 'node:fs';

import type { Content, Runner, RunResult } from '@adorn/core';
import { BOOLEAN, checkOptions, type OptionRules } from '@adorn/core/backend';

import { Cassette, type Exchange } from '../cassette.js';
import { readConversation } from '../cassette-file.js';
import { CassetteInvalidError, CassetteMissError, CassetteNotReplayableError } from '../errors.js';
import { differenceToNearest } from '../miss.js';
import { PlayedPlaces } from '../played-places.js';
import { cleanedRequest, recordedRequest, type RecordedRequest } from '../recorded-request.js';
import {
  cassettePath,
  type Cleaning,
  cleaningOf,
  RECORDING_RULES,
  type RecordingOptions,
} from '../recording-options.js';
import { replayedAnswer } from '../replayed-answer.js';
import { conversationOfRequests } from './conversation-of-requests.js';
import { type Conversation, isConversation } from './conversation.js';
import { holdAgain, type Holding } from './hold-again.js';

/** The options of `replayCassette`. */
export interface CassetteReplayOptions extends Pick<RecordingOptions, 'secrets' | 'ignore'> {
  /** True if tools run, so that a change of what they return is a difference. Default: false, they return what they did. */
  readonly runsTools?: boolean;
}

/** How a conversation went that was held again. */
export interface CassetteReplay {
  /** How many messages and answers of the user there are. */
  readonly messages: number;
  /** How many exchanges with models are recorded. */
  readonly exchanges: number;
  /** How many of them were asked for. */
  readonly replayed: number;
  /** Where it took another course. Undefined if the models were asked the same as then. */
  readonly difference: ReplayDifference | undefined;
}

/** The first difference between a conversation and its recording. */
export interface ReplayDifference {
  /** The number of the message after which it occurs, from 1. */
  readonly message: number;
  /** The text of that message; empty for an answer to a request. */
  readonly said: string;
  /** One sentence. */
  readonly what: string;
  /** For a request that is not recorded: the difference to the nearest one that is, as a unified diff. */
  readonly diff?: string;
}

const RULES: OptionRules<CassetteReplayOptions> = {
  secrets: RECORDING_RULES.secrets,
  ignore: RECORDING_RULES.ignore,
  runsTools: BOOLEAN,
};

/**
 * Holds the conversation of a cassette again with the agents as they are now, in stores of its own: to see whether a change of
 * them changes what models are asked. The messages of the user are sent, answers come from the cassette, tools return what they
 * did, and calls are approved and rejected as they were. No model is asked.
 *
 * It ends with the first difference: a request that is not recorded, one that is not made any more, or a run that fails.
 *
 * @param file as for `recorded`
 * @throws {CassetteInvalidError} for a file that is not a cassette, or not there
 * @throws {CassetteNotReplayableError} for a cassette that `recordSession` did not make, if its requests do not tell what the
 * user has said: they are of several conversations, begin in the middle of one, or have files
 * @throws {OptionInvalidError}
 *
 * @example
 * const { difference } = await replayCassette(runner, 'refund.cassette.json');
 * assert.equal(difference, undefined);
 */
export async function replayCassette(
  runner: Runner<unknown>,
  file: string | URL,
  options: CassetteReplayOptions = {},
): Promise<CassetteReplay> {
  checkOptions('replayCassette', options, RULES);
  const path = cassettePath('replayCassette', file);
  const cassette = openCassette(path);
  const conversation = conversationIn(path, cassette);
  const replay = new Replay(path, cassette.exchanges, conversation, cleaningOf(options));
  await holdAgain(runner, conversation, {
    askModel: replay.askModel,
    runsTools: options.runsTools ?? false,
    onMessage: (result) => replay.goesOnAfter(result),
  });
  return replay.outcome();
}

function openCassette(path: string): Cassette {
  if (!existsSync(path)) throw new CassetteInvalidError(path, 'is not there');
  return Cassette.open(path);
}

/** The conversation of a cassette: as `recordSession` has written it, else as its requests tell. */
function conversationIn(path: string, { exchanges }: Cassette): Conversation {
  const stored = readConversation(path);
  if (stored === undefined)
    return conversationOfRequests(exchanges, (fault) => new CassetteNotReplayableError(path, fault));
  if (!isConversation(stored)) throw new CassetteInvalidError(path, 'has a conversation of another form');
  return stored;
}

/** A conversation that is being replayed, up to its first difference. */
class Replay {
  private readonly played = new PlayedPlaces();
  private readonly cassette: Cassette;
  /** How many messages have been sent and answered. */
  private answered = 0;
  private last: Exchange | undefined;
  private difference: ReplayDifference | undefined;

  constructor(
    private readonly path: string,
    recorded: readonly Exchange[],
    private readonly conversation: Conversation,
    private readonly cleaning: Cleaning,
  ) {
    const cleaned = recorded.map((one) => ({ ...one, request: cleanedRequest(one.request, cleaning.clean) }));
    this.cassette = Cassette.of(path, cleaned);
  }

  readonly askModel: Holding['askModel'] = (model, request) => {
    const asked = recordedRequest(model.name, request, this.cleaning.clean);
    const place = this.played.take(this.cassette.placesOf(asked));
    this.last = place === undefined ? undefined : this.cassette.at(place);
    return this.last ? replayedAnswer(this.last, request) : this.missed(asked);
  };

  /** Notes a run that has failed. @returns true if there is no difference */
  goesOnAfter({ error }: RunResult<unknown>): boolean {
    if (error && !isFailure(this.last)) this.note({ what: `The run fails: ${error.message}` });
    this.answered++;
    return this.difference === undefined;
  }

  outcome(): CassetteReplay {
    const { cassette, conversation, played } = this;
    const left = played.leftOf(cassette.size);
    if (this.answered < conversation.messages.length)
      this.note({ what: 'This answers what the user is not asked any more.' });
    if (left.length > 0)
      this.note({ what: `${counted(left.length, 'recorded request')} less: ${left.join(', ')}.` });
    return {
      messages: conversation.messages.length,
      exchanges: cassette.size,
      replayed: played.size,
      difference: this.difference,
    };
  }

  /** What a model does that is asked what is not recorded. */
  private async *missed(asked: RecordedRequest): AsyncGenerator<never, void, undefined> {
    const { requests } = this.cassette;
    const times = this.cassette.placesOf(asked).length;
    this.note(
      times > 0
        ? { what: `A request that is recorded ${counted(times, 'time')} is made once more.` }
        : { what: 'A request is not recorded.', diff: differenceToNearest(asked, requests) },
    );
    yield* [];
    throw new CassetteMissError(this.path, times, '');
  }

  /** Only the first difference counts: those behind it follow from it. */
  private note(found: Pick<ReplayDifference, 'what' | 'diff'>): void {
    const { messages } = this.conversation;
    const place = Math.min(this.answered, messages.length - 1);
    this.difference ??= { message: place + 1, said: textOf(messages[place]?.content), ...found };
  }
}

/** True for an answer with which a run fails. */
function isFailure(exchange: Exchange | undefined): boolean {
  return exchange?.failure !== undefined || exchange?.answer.at(-1)?.response.errorCode !== undefined;
}

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map(({ text = '' }) => text).join('');
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
