import assert from 'node:assert/strict';

import type { Browser } from 'playwright-core';

import { SampleProcess } from './sample-process.js';
import { StudioPage } from './studio-page.js';
import { noFaults, SCREENSHOTS } from './two-people.js';

/** The sample `support --desk`: a customer asks for more than the desk may refund, and a supervisor approves one and rejects one. */
export async function playSupportDesk(browser: Browser): Promise<void> {
  const args = ['--desk', '--store', ':memory:'];
  await using desk = await SampleProcess.start('samples/support/build/main.js', { args, count: 2 });
  const [customerUrl = '', supervisorUrl = ''] = desk.addresses;
  const customer = await StudioPage.open(browser, customerUrl);
  const supervisor = await StudioPage.open(browser, supervisorUrl, { theme: 'dark' });
  try {
    await supervisor.button(/^Inbox/).click();
    await customer.send('I am ada.keller@example.com, postcode 10969');
    await customer.settled();
    await customer.send('Refund 160 euros for W2611340');
    await customer.shows(customer.card('refund_order'), 'It waits for somebody with the role supervisor.');
    await customer.shows(customer.page.locator('.waiting-mark'), 'waits for others');
    await customer.screenshot(SCREENSHOTS, 'support-customer-waits');

    await supervisor.shows(supervisor.page.locator('.inbox-entry'), 'asked by ada');
    await supervisor.screenshot(SCREENSHOTS, 'support-inbox');
    await supervisor.action('reject').click();
    await supervisor.page.getByLabel('Reason').fill('The order was not damaged.');
    await supervisor.screenshot(SCREENSHOTS, 'support-inbox-reason');
    await supervisor.page.getByLabel('Reason').press('Enter');
    await supervisor.shows(supervisor.page.locator('.inbox-outcome'), 'refund_order of ada: rejected');
    await customer.shows(customer.card('refund_order'), 'Rejected by sam: The order was not damaged.');
    await customer.settled();
    await customer.screenshot(SCREENSHOTS, 'support-customer-rejected');

    await customer.send('Refund 160 euros for W2611340');
    await customer.shows(customer.card('refund_order'), 'waits for others');
    await supervisor.action('approve').click();
    await customer.shows(customer.card('refund_order'), 'Approved by sam');
    await customer.settled();
    await customer.screenshot(SCREENSHOTS, 'support-customer-approved');
    await supervisor.shows(supervisor.page.locator('.inbox'), 'Nothing waits for you.');
    noFaults(customer, supervisor);
  } finally {
    await customer.close();
    await supervisor.close();
  }
}

/** The expense desk of the guides: two managers, one of whom changes nothing by approving twice, and a stranger. */
export async function playExpenseDesk(browser: Browser): Promise<void> {
  const env = { PORT: '0', STORE: ':memory:' };
  await using desk = await SampleProcess.start('samples/guides/build/expense-desk/main.js', { env });
  const [url = ''] = desk.addresses;
  const open = (user: string) => StudioPage.open(browser, url, { cookie: `user=${user}` });
  const [ada, ben, mia, max] = [await open('ada'), await open('ben'), await open('mia'), await open('max')];
  try {
    for (const manager of [mia, max]) await manager.button(/^Inbox/).click();
    await ben.button(/^Inbox/).click();
    await ada.send('Submit an expense for travel of 9000 euros, description "The fair"');
    await ada.shows(ada.card('submit_expense'), 'It waits for 2 people with the role manager: 0 of 2');
    await ada.screenshot(SCREENSHOTS, 'expense-employee-waits');

    for (const manager of [mia, max])
      await manager.shows(
        manager.page.locator('.inbox-entry'),
        'The fair: 9000 EUR for travel, limit 500 EUR',
      );
    await mia.action('approve').click();
    await mia.shows(mia.page.locator('.inbox-outcome'), 'approved, and the run waits on');
    await ada.shows(ada.card('submit_expense'), '1 of 2 have approved');
    await max.shows(max.page.locator('.inbox-entry'), '1 of 2 have approved');
    await mia.shows(mia.page.locator('.inbox-entry'), 'You have approved it. It waits for somebody else.');
    assert.equal(await mia.page.locator('[data-action="approve"]').count(), 0);
    await mia.screenshot(SCREENSHOTS, 'expense-first-manager');
    await max.screenshot(SCREENSHOTS, 'expense-second-manager');
    await max.action('approve').click();
    await max.shows(max.page.locator('.inbox-outcome'), 'approved, and the run has ended');
    await ada.shows(ada.card('submit_expense'), 'Approved by mia, max');
    await ada.screenshot(SCREENSHOTS, 'expense-employee-done');

    await mia.shows(mia.page.locator('.inbox'), 'Nothing waits for you.');
    await ben.shows(ben.page.locator('.inbox'), 'Nothing waits for you.');
    await ben.screenshot(SCREENSHOTS, 'expense-other-employee');
    assert.equal(await ben.page.locator('.inbox-entry').count(), 0);
    noFaults(ada, ben, mia, max);
  } finally {
    for (const page of [ada, ben, mia, max]) await page.close();
  }
}
