import type { LiveEvent } from '@adorn/core/backend';
import { GeminiLiveModel } from '@adorn/gemini';
import {
  type LiveEmulatorConnection,
  type LiveJson,
  type LiveWireStep,
  type RecordedFrame,
  replaysConversation,
  startGeminiLiveEmulator,
} from '@adorn/testing';

import { ConnectionReader } from './connection-reader.js';
import { kindsIn } from './conversation-summary.js';
import { optionsOf, type RecordedConversation, setupOf } from './recorded-conversation.js';
import { sendRecorded } from './sent-messages.js';

/** What came of a recorded conversation. */
export interface Replayed {
  readonly events: readonly LiveEvent[];
  readonly server: LiveEmulatorConnection;
}

/**
 * Holds a recorded conversation through the live model of Gemini: each message of the client once the events of the
 * server's messages before it have come.
 *
 * @param frames the conversation, or its beginning
 * @param ending steps of the server after it; without any, the client closes the connection
 */
export async function replayLive(
  conversation: RecordedConversation,
  frames: readonly RecordedFrame[],
  ending: readonly LiveWireStep[] = [],
): Promise<Replayed> {
  const emulator = await startGeminiLiveEmulator([[...replaysConversation(frames), ...ending]]);
  try {
    const model = new GeminiLiveModel(optionsOf(conversation, emulator.url));
    const options = { signal: new AbortController().signal, timeout: 10_000 };
    const connection = await model.connect(setupOf(conversation), options);
    const reader = new ConnectionReader(connection);
    let expected = 0;
    for (const { from, text } of frames.slice(1)) {
      const json = JSON.parse(text) as LiveJson;
      if (from === 'server') expected += kindsIn(json as Parameters<typeof kindsIn>[0]).length;
      else {
        await reader.untilCount(expected);
        sendRecorded(connection, json);
      }
    }
    await reader.untilCount(expected);
    if (ending.length === 0) connection.close();
    const events = await reader.untilEnd();
    await untilClosed(emulator.connections[0]);
    emulator.assertDone();
    return { events, server: emulator.connections[0] as LiveEmulatorConnection };
  } finally {
    await emulator.close();
  }
}

async function untilClosed(server: LiveEmulatorConnection | undefined): Promise<void> {
  for (let tries = 0; tries < 200 && !server?.closed; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
