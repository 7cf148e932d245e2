import type { Browser } from 'playwright-core';

import { openAssistantUi, openAssistantUiByAgUi } from './assistant-ui.js';
import { openCopilotKit, openThroughRuntime } from './copilotkit.js';
import { type ClientWithTools, useToolsOfPage } from './page-tools.js';
import { AG_UI, USE_CHAT } from './steered-client.js';
import { timeSteering } from './steering-times.js';
import { steerInstead, steerNext, steerNow, stopAnswer } from './steering.js';

/** What a user does on a page. */
export interface ClientPlay {
  readonly play: (browser: Browser) => Promise<void>;
  /** The folder of `peers` that the page needs. */
  readonly peer?: string;
}

const STEERED = { useChat: USE_CHAT, 'AG-UI': AG_UI };

const STEERING = {
  'a correction is read by the run that works': steerNow,
  'a message waits for the end of the run': steerNext,
  'a message takes the place of the run': steerInstead,
  'what was shown of a stopped answer is kept': stopAnswer,
  'from the button to the model': timeSteering,
};

const WITH_TOOLS: Readonly<Record<string, ClientWithTools>> = {
  CopilotKit: { peer: 'copilotkit', open: openCopilotKit, tellsPage: true },
  "CopilotKit's runtime": { peer: 'copilotkit', open: openThroughRuntime, tellsPage: true },
  'assistant-ui': { peer: 'assistant-ui', open: openAssistantUi, tellsPage: false },
  'assistant-ui by AG-UI': { peer: 'assistant-ui', open: openAssistantUiByAgUi, tellsPage: false },
};

/** What users do on pages that are made with clients of others, by the name of the client. */
export const CLIENTS: Readonly<Record<string, ClientPlay>> = Object.fromEntries([
  ...Object.entries(STEERED).flatMap(([client, page]) =>
    Object.entries(STEERING).map(([name, play]): [string, ClientPlay] => [
      `${client}: ${name}`,
      { play: (browser) => play(browser, page) },
    ]),
  ),
  ...Object.entries(WITH_TOOLS).map(([client, page]): [string, ClientPlay] => [
    `${client}: tools of the page and approvals`,
    { peer: page.peer, play: (browser) => useToolsOfPage(browser, page) },
  ]),
]);
