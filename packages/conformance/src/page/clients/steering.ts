import assert from 'node:assert/strict';

import { callsTool, streams } from '@adorn/testing';
import type { Browser } from 'playwright-core';

import { FrontDesk } from '../../ui-streams/front-desk.js';
import { logOf } from './log-of.js';
import { StoryModel } from './paced-models.js';
import { openPage, type SteeredClient } from './steered-client.js';

const SESSION = 'c1';

/** The user corrects an agent whose tool works: the run reads it before its next model call. */
export async function steerNow(browser: Browser, client: SteeredClient): Promise<void> {
  await using desk = await FrontDesk.open([callsTool('count_stock'), streams('2 ', 'lamps.')]);
  await using page = await openPage(browser, desk, client);
  await page.send('Count all');
  await page.shows('user: Count all', client.running);
  await page.send('Only lamps', 'Now');
  await waitsInMailbox(desk);
  desk.release();
  const shown = ['user: Count all', ...client.counted, 'user: Only lamps', 'assistant: 2 lamps.'];
  await page.shows(...shown);
  const log = ['call count_stock', 'response count_stock', 'user: Only lamps', 'desk: 2 lamps.'];
  assert.deepEqual(await logOf(desk.runner, SESSION), ['user: Count all', ...log]);
  await page.reload();
  await page.shows(...shown);
  assert.deepEqual(page.faults, []);
}

/** The user asks something else meanwhile: it is answered when the run has ended. */
export async function steerNext(browser: Browser, client: SteeredClient): Promise<void> {
  await using desk = await FrontDesk.open([
    callsTool('count_stock'),
    streams('7 ', 'things.'),
    streams('On ', 'shelf 2.'),
  ]);
  await using page = await openPage(browser, desk, client);
  await page.send('Count all');
  await page.shows('user: Count all', client.running);
  await page.send('Where?', 'Next');
  if (client.queue === 'mailbox') await waitsInMailbox(desk);
  desk.release();
  const answer = 'assistant: 7 things.';
  const shown = ['user: Count all', ...client.counted, answer, 'user: Where?', 'assistant: On shelf 2.'];
  await page.shows(...shown);
  const log = [
    'call count_stock',
    'response count_stock',
    'desk: 7 things.',
    'user: Where?',
    'desk: On shelf 2.',
  ];
  assert.deepEqual(await logOf(desk.runner, SESSION), ['user: Count all', ...log]);
  await page.reload();
  await page.shows(...shown);
  assert.deepEqual(page.faults, []);
}

/** The user wants something else: the run is cancelled, with an outcome of its call, and the message is answered. */
export async function steerInstead(browser: Browser, client: SteeredClient): Promise<void> {
  await using desk = await FrontDesk.open([callsTool('count_stock'), streams('As ', 'you like.')]);
  await using page = await openPage(browser, desk, client);
  await page.send('Count all');
  await page.shows('user: Count all', client.running);
  await page.send('Stop that', 'Instead');
  const end = ['user: Stop that', 'assistant: As you like.'];
  await page.shows('user: Count all', ...client.cancelled, ...end);
  const log = ['call count_stock', 'response count_stock', 'user: Stop that', 'desk: As you like.'];
  assert.deepEqual(await logOf(desk.runner, SESSION), ['user: Count all', ...log]);
  await page.reload();
  await page.shows('user: Count all', ...client.cancelledLater, ...end);
  assert.deepEqual(page.faults, []);
}

/** The user stops an answer that is being written: what was shown of it is stored, and is there after a reload. */
export async function stopAnswer(browser: Browser, client: SteeredClient): Promise<void> {
  await using desk = await FrontDesk.open(new StoryModel());
  await using page = await openPage(browser, desk, client);
  await page.send('Tell a story');
  await page.until(([, answer = '']) => answer.includes('Sentence 5.'));
  await page.press('Stop');
  await page.page.getByRole('status').filter({ hasText: 'ready' }).waitFor();
  const [, shown = ''] = await page.shown();
  await page.reload();
  const [, stored = ''] = await page.shown();
  assert.ok(stored.startsWith(shown.trimEnd()), `The page showed "${shown}", and "${stored}" is stored.`);
  assert.ok(!stored.includes(StoryModel.end));
  await page.send('Go on');
  await page.until((lines) => lines.at(-1)?.includes(StoryModel.end) === true);
  assert.deepEqual(page.faults, []);
}

async function waitsInMailbox({ runner }: FrontDesk): Promise<void> {
  const key = { appName: runner.appName, userId: 'user', sessionId: SESSION };
  while ((await runner.sessions.listMail(key)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
