import type { Browser } from 'playwright-core';

import { openCopilotKit, openThroughRuntime } from './copilotkit.js';
import { useToolsOfPage } from './page-tools.js';
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

const WITH_TOOLS = {
  CopilotKit: openCopilotKit,
  "CopilotKit's runtime": openThroughRuntime,
};

/** What users do on pages that are made with clients of others, by the name of the client. */
export const CLIENTS: Readonly<Record<string, Play>> = Object.fromEntries([
  ...Object.entries(STEERED).flatMap(([client, page]) =>
    Object.entries(STEERING).map(([name, play]) => [
      `${client}: ${name}`,
      (browser: Browser) => play(browser, page),
    ]),
  ),
  ...Object.entries(WITH_TOOLS).map(([client, open]) => [
    `${client}: tools of the page and approvals`,
    (browser: Browser) => useToolsOfPage(browser, open),
  ]),
]) as Record<string, Play>;
