import { type PrincipalInput, toPrincipal } from '../../approvals/principal.js';
import {
  functionResponsesOf,
  type Message,
  MessageInvalidError,
  toUserContent,
} from '../../events/content-parts.js';
import {
  overlayRunConfig,
  requireOptions,
  type RunConfig,
  RunConfigInvalidError,
} from '../../run/run-config.js';
import { newInvocationId } from '../../runtime/ids.js';
import { checkName, checkSessionKey, optionNames } from '@adorn/schema';
import { createSessionOnce } from '../begin/begin-run.js';
import { type ConversationAddress, DEFAULT_USER, requireInput } from '../begin/run-input.js';
import type { RunSetting } from '../begin/run-setting.js';
import type { Run } from '../run.js';
import { type Letter, READ_TIMES, type ReadTime } from './letter.js';

/** The options of `runner.send`. */
export interface SendOptions {
  /**
   * The id of the message, and of the run of its own. The same id in the same session is the same message, sent again: it is read once,
   * as it was first sent. Default: a new one.
   */
  readonly id?: string | undefined;
  /** When the message is read. Default: `now`. */
  readonly when?: ReadTime | undefined;
  /** Who sends it: a principal with its roles, or a name. Default: the user of the session. */
  readonly by?: PrincipalInput | undefined;
  /** The channel of the message, such as `web` or `slack`. */
  readonly channel?: string | undefined;
  /** Whether the run of its own yields pieces of answers, if it begins in this runner. Default: that of the runner. */
  readonly streaming?: RunConfig['streaming'] | undefined;
}

/** A message that is stored, and will be read. */
export interface SentMessage<Output = string> {
  /** The id of the message, and of the run of its own if it begins one. */
  readonly id: string;
  /** The id of the run that reads it as things stand: the open one of this runner for `now`, or that of its own. */
  readonly invocationId: string;
  /**
   * The run of its own. It waits for the run that is open, also in another process, and ends without an event if that one has
   * read the message, or if another process has begun it. To cancel it withdraws a message that is not read yet. Undefined in a
   * live session of this runner.
   */
  readonly run: Run<Output> | undefined;
}

const OPTIONS = optionNames<SendOptions>({ id: true, when: true, by: true, channel: true, streaming: true });

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
  const { mail, holds, lives, services } = setting;
  if (!(await services.sessions.getSession(key, { numRecentEvents: 0 })))
    await createSessionOnce(services.sessions, key);
  await mail.post(key, letter);
  const { id } = letter;
  const holder = holds.find(key);
  const openId = holder?.heldRun?.id;
  holder?.noticeMail();
  if (openId !== undefined && lives.find(key)) return { id, invocationId: openId, run: undefined };
  const run = mail.begin(key, letter, options.streaming && { streaming: options.streaming });
  return { id, invocationId: letter.when === 'now' ? (openId ?? id) : id, run };
}

/** @throws {MessageInvalidError | RunConfigInvalidError | PrincipalInvalidError} before anything is stored */
function letterOf(
  { services, config }: RunSetting,
  userId: string,
  message: Message,
  options: SendOptions,
): Letter {
  requireOptions('runner.send', options, OPTIONS);
  const { id = newInvocationId(), when = 'now', by, channel, streaming } = options;
  checkName('id of a message', id);
  overlayRunConfig(config, { streaming });
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
  return { id, kind: 'message', when, sentAt, message: content, by, ...rest };
}
