import type { Browser } from 'playwright-core';

import { AG_UI, USE_CHAT } from './steered-client.js';
import { timeSteering } from './steering-times.js';
import { steerInstead, steerNext, steerNow, stopAnswer } from './steering.js';

const STEERED = { useChat: USE_CHAT, 'AG-UI': AG_UI };

const PLAYS = {
  'a correction is read by the run that works': steerNow,
  'a message waits for the end of the run': steerNext,
  'a message takes the place of the run': steerInstead,
  'what was shown of a stopped answer is kept': stopAnswer,
  'from the button to the model': timeSteering,
};

/** What users do on pages that are made with clients of others, by the name of the client. */
export const CLIENTS: Readonly<Record<string, (browser: Browser) => Promise<void>>> = Object.fromEntries(
  Object.entries(STEERED).flatMap(([client, page]) =>
    Object.entries(PLAYS).map(([name, play]) => [
      `${client}: ${name}`,
      (browser: Browser) => play(browser, page),
    ]),
  ),
);
