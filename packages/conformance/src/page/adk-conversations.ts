import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { AdkPage } from './adk-page.js';
import { consent } from './consent-provider.js';
import { Orders } from './shop.js';

/** What a person does in adk-web, and what must be seen then. Each begins on the page of a new session. */
export const ADK_CONVERSATIONS: Readonly<Record<string, (adk: AdkPage) => Promise<void>>> = {
  'an answer is streamed': async (adk) => {
    await adk.page.getByLabel('More options').click();
    await adk.page.getByRole('menuitem', { name: 'Streaming' }).click();
    await adk.send('Tell me a long story');
    await adk.shows('Sentence 3 of the story.');
    assert.equal(await adk.page.getByText('Sentence 60 of the story.').count(), 0);
    await adk.shows('Sentence 60 of the story.');
  },
  'parallel tools are chips with results': async (adk) => {
    await adk.send('Where is A-17?');
    await adk.shows('expected: 27 November');
    assert.equal(await adk.chip('find_order').count(), 2);
    assert.equal(await adk.chip('track_parcel').count(), 2);
  },
  'a confirmation is approved': async (adk) => {
    const before = Orders.refunds.length;
    await adk.send('Refund A-17');
    await adk.page.locator('app-long-running-response input[type=checkbox]').check();
    await adk.page.locator('.form-submit-button').click();
    await adk.shows('That is settled.');
    assert.equal(Orders.refunds.length, before + 1);
  },
  'a confirmation is refused': async (adk) => {
    const before = Orders.refunds.length;
    await adk.send('Refund A-17');
    await adk.page.locator('.form-submit-button').click();
    await adk.shows('That is settled.');
    assert.equal(Orders.refunds.length, before);
  },
  'a credential is obtained in a window': async (adk) => {
    const opened = adk.page.waitForEvent('popup');
    await adk.send('What is in my calendar?');
    await consent(await opened);
    await adk.shows('You are free on Friday.');
  },
  'an artifact is shown': async (adk) => {
    await adk.send('Draw the parcel');
    await adk.shows('There it is.');
    await adk.tab('Artifacts').click();
    await adk.page.locator('img[src^="data:image/png"]').first().waitFor();
  },
  'a hand-over is shown': async (adk) => {
    await adk.send('Can I return it?');
    await adk.shows('You can return it within 30 days.');
    await adk.chip('transfer_to_agent').first().waitFor();
  },
  'a run that fails says why': async (adk) => {
    await adk.send('Fail');
    await adk.shows(/SAFETY|The answer was blocked\./);
  },
  'a run is stopped, and the session goes on': async (adk) => {
    await adk.send('Count the stock');
    await adk.chip('count_stock').first().waitFor();
    await adk.icon('stop').click();
    await adk.send('Hello');
    await adk.shows('find orders');
  },
  'a reload in the middle of a run stops it, and shows what it did': async (adk) => {
    await adk.send('Count the stock');
    await adk.chip('count_stock').first().waitFor();
    await adk.page.reload();
    await adk.chip('count_stock').first().waitFor();
    await adk.shows('CANCELLED');
    await adk.send('Hello');
    await adk.shows('find orders');
  },
  'a reload shows the session again': async (adk) => {
    await adk.send('Where is A-17?');
    await adk.shows('expected: 27 November');
    await adk.page.reload();
    await adk.shows('expected: 27 November');
  },
  'a session is renamed and deleted': async (adk) => {
    await adk.send('Hello');
    await adk.shows('find orders');
    await adk.openSessions();
    const current = adk.page.locator('.session-selector-current-id');
    await current.getByRole('button', { name: 'Edit' }).click();
    await current.locator('input').fill('A greeting');
    await current.locator('input').press('Enter');
    await adk.shows('A greeting');
    await adk.page.getByRole('button', { name: 'Delete' }).click();
    await adk.page.locator('app-delete-session-dialog').getByRole('button', { name: 'Delete' }).click();
    await adk.page.locator('app-delete-session-dialog').waitFor({ state: 'detached' });
    await adk.page.waitForFunction(() => !document.body.innerText.includes('A greeting'));
  },
  'the graph of the agents is drawn': async (adk) => {
    await adk.icon('account_tree').click();
    await adk.page.locator('svg text', { hasText: 'find_order' }).last().waitFor();
  },
  'the trace has a bar for each model call and tool': async (adk) => {
    await adk.send('Where is A-17?');
    await adk.shows('expected: 27 November');
    await adk.page.locator('button', { hasText: 'Traces' }).click();
    await adk.shows('Total latency');
    assert.equal(await adk.page.getByText('call_llm').count(), 2);
  },
  'a session becomes a case of an eval set, which is run and shown': async (adk) => {
    await adk.send('Where is A-17?');
    await adk.shows('expected: 27 November');
    await adk.tab('Evals').click();
    const evals = adk.page.locator('app-eval-tab');
    const dialog = adk.page.locator('mat-dialog-container');
    await evals.getByRole('button', { name: 'New' }).click();
    const name = `orders-${randomUUID()}`;
    await dialog.locator('input').fill(name);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await evals.getByText(name).first().click();
    await evals.getByText('From Current Session').click();
    await dialog.locator('input').fill('A-17');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await evals.getByText('A-17').waitFor();
    await evals.getByText('Run All').click();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await evals.getByText('1 PASS').waitFor();
    await evals.getByText('A-17').click();
    await adk.shows(/EVAL RESULT/i);
  },
  'a live conversation is heard and answered': async (adk) => {
    await adk.send('Hello');
    await adk.shows('find orders');
    await adk.icon('call').click();
    await adk.shows('It is in Berlin, and arrives on Friday.');
  },
};
