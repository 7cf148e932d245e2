import { type PrincipalInput, toPrincipal } from '../../approvals/principal.js';
import {
  functionResponsesOf,
  type Message,
  MessageInvalidError,
  toUserContent,
} from '../../events/content-parts.js';
import { requireOptions, RunConfigInvalidError } from '../../run/run-config.js';
import { newInvocationId } from '../../runtime/ids.js';
import { checkSessionKey, optionNames } from '@adorn/schema';
import { createSessionOnce } from '../begin/begin-run.js';
import { type ConversationAddress, DEFAULT_USER, requireInput } from '../begin/run-input.js';
import type { RunSetting } from '../begin/run-setting.js';
import type { Run } from '../run.js';
import { type Letter, READ_TIMES, type ReadTime } from './letter.js';

/** The options of `runner.send`. */
export interface SendOptions {
  /** When the message is read. Default: `now`. */
  readonly when?: ReadTime | undefined;
  /** Who sends it: a principal with its roles, or a name. Default: the user of the session. */
  readonly by?: PrincipalInput | undefined;
  /** The channel of the message, such as `web` or `slack`. */
  readonly channel?: string | undefined;
}

/** A message that is stored, and will be read. */
export interface SentMessage<Output = string> {
  /** The id of the message, and of the run of its own if it begins one. */
  readonly id: string;
  /** The id of the run that reads it as things stand: the open one, or that of its own. */
  readonly invocationId: string;
  /**
   * The run of its own. It waits for the run that is open, also in another process, and ends without an event if that one has
   * read the message, or if another process has begun it. Undefined if the open run of this runner has the message.
   */
  readonly run: Run<Output> | undefined;
}

const OPTIONS = optionNames<SendOptions>({ when: true, by: true, channel: true });

/** Stores a message for the run that is open, or begins one with it. See `Runner.send`. */
export async function sendMessage(
  setting: RunSetting,
  address: ConversationAddress & { readonly sessionId: string },
  message: Message,
  options: SendOptions,
): Promise<SentMessage<unknown>> {
  requireInput('send', address, setting.appName);
  const { userId = DEFAULT_USER, sessionId } = address;
  const key = { appName: setting.appName, userId, sessionId };
  checkSessionKey(key);
  const letter = letterOf(setting, userId, message, options);
  const { mail, holds, services } = setting;
  if (!(await services.sessions.getSession(key, { numRecentEvents: 0 })))
    await createSessionOnce(services.sessions, key);
  await mail.post(key, letter);
  const { id } = letter;
  const holder = holds.find(key);
  holder?.noticeMail();
  if (holder?.heldRun && (letter.when !== 'instead' || setting.lives.find(key)))
    return { id, invocationId: holder.heldRun.id, run: undefined };
  return { id, invocationId: id, run: mail.begin(key, letter) };
}

/** @throws {MessageInvalidError | RunConfigInvalidError | PrincipalInvalidError} before anything is stored */
function letterOf({ services }: RunSetting, userId: string, message: Message, options: SendOptions): Letter {
  requireOptions('runner.send', options, OPTIONS);
  const { when = 'now', by, channel } = options;
  if (!READ_TIMES.includes(when))
    throw RunConfigInvalidError.ofValue('when', when, `Pass one of ${READ_TIMES.join(', ')}.`);
  toPrincipal(by ?? userId, 'by');
  const content = toUserContent(message);
  if (functionResponsesOf(content).length > 0)
    throw new MessageInvalidError(
      'It answers a request. Use runner.approve, runner.reject or runner.supply.',
    );
  const sentAt = services.clock.now();
  const rest = { channel, remember: undefined, given: undefined };
  return { id: newInvocationId(), kind: 'message', when, sentAt, message: content, by, ...rest };
}
