import type { Browser } from 'playwright-core';

import { openAssistantUi, openAssistantUiByAgUi } from './assistant-ui.js';
import { openCopilotKit, openThroughRuntime } from './copilotkit.js';
import { type ClientWithTools, useToolsOfPage } from './page-tools.js';
import { AG_UI, USE_CHAT } from './steered-client.js';
import { timeSteering } from './steering-times.js';
import { steerInstead, steerNext, steerNow, stopAnswer } from './steering.js';

type Play = (browser: Browser) => Promise<void>;

const STEERED = { useChat: USE_CHAT, 'AG-UI': AG_UI };

const STEERING = {
  'a correction is read by the run that works': steerNow,
  'a message waits for the end of the run': steerNext,
  'a message takes the place of the run': steerInstead,
  'what was shown of a stopped answer is kept': stopAnswer,
  'from the button to the model': timeSteering,
};

const WITH_TOOLS: Readonly<Record<string, ClientWithTools>> = {
  CopilotKit: { open: openCopilotKit, tellsPage: true },
  "CopilotKit's runtime": { open: openThroughRuntime, tellsPage: true },
  'assistant-ui': { open: openAssistantUi, tellsPage: false },
  'assistant-ui by AG-UI': { open: openAssistantUiByAgUi, tellsPage: false },
};

/** What users do on pages that are made with clients of others, by the name of the client. */
export const CLIENTS: Readonly<Record<string, Play>> = Object.fromEntries([
  ...Object.entries(STEERED).flatMap(([client, page]) =>
    Object.entries(STEERING).map(([name, play]) => [
      `${client}: ${name}`,
      (browser: Browser) => play(browser, page),
    ]),
  ),
  ...Object.entries(WITH_TOOLS).map(([client, page]) => [
    `${client}: tools of the page and approvals`,
    (browser: Browser) => useToolsOfPage(browser, page),
  ]),
]) as Record<string, Play>;
