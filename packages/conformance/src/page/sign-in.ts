import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Browser, Page } from 'playwright-core';

import { SampleProcess } from './sample-process.js';
import { StudioPage } from './studio-page.js';
import { noFaults, SCREENSHOTS } from './two-people.js';

/** The sign-in of the guides: led to the sign-in page, the studio, an approval by a second person, the sign-out, and back. */
export async function playSignIn(browser: Browser): Promise<void> {
  const env = { PORT: '0', STORE: ':memory:' };
  await using desk = await SampleProcess.start('samples/guides/build/sign-in/main.js', { env });
  const [url = ''] = desk.addresses;
  const ada = await StudioPage.open(browser, `${url}/studio?app=desk`, { before: signInAsAda });
  const mia = await StudioPage.open(browser, url, { before: (page) => signInAsMia(page) });
  try {
    assert.equal(new URL(ada.page.url()).pathname, '/studio/');
    await mia.button(/^Inbox/).click();
    await ada.send('Refund A-17');
    await ada.shows(ada.card('refund'), 'It waits for somebody with the role lead.');
    await mia.shows(mia.page.locator('.inbox-entry'), 'Refund A-17?');
    await mia.action('approve').click();
    await mia.shows(mia.page.locator('.inbox-outcome'), 'approved, and the run has ended');
    await ada.shows(ada.card('refund'), 'Approved by mia');

    await comeFromAnotherPort(ada.page, url);
    await ada.settled();
    noFaults(mia);
    await signOutAndIn(ada, url);
  } finally {
    await ada.close();
    await mia.close();
  }
}

async function signInAsAda(page: Page): Promise<void> {
  assert.match(page.url(), /\/login\?next=%2Fstudio%3Fapp%3Ddesk$/);
  await page.screenshot({ path: `${SCREENSHOTS}/sign-in.png` });
  await signIn(page, 'ada', 'mind the gap');
  await page.getByText('The name or the password is wrong.').waitFor();
  await signIn(page, 'ada', 'analytical engine');
}

async function signInAsMia(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, 'mia', 'mind the gap');
}

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** A page of another port of the same host, with which the browser sends the cookie: it can neither sign out nor call an agent. */
async function comeFromAnotherPort(page: Page, url: string): Promise<void> {
  const stranger = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<form method="post" action="${url}/logout"><button>Win</button></form>`);
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const tab = await page.context().newPage();
  try {
    await tab.goto(`http://127.0.0.1:${String((stranger.address() as AddressInfo).port)}/`);
    // A response that the page may not read is an error, or has the status 0.
    assert.deepEqual(await callFrom(tab, `${url}/studio/adorn/apps/desk/sessions`), ['refused', 0]);
    await tab.getByRole('button', { name: 'Win' }).click();
    await tab.getByText('This form comes from another page.').waitFor();
    await tab.goto(url);
    await tab.getByText('You are ada.').waitFor();
  } finally {
    await tab.close();
    stranger.closeAllConnections();
    stranger.close();
  }
}

/** What a page gets that reads the sessions, and creates one, with the cookies of the browser. */
function callFrom(tab: Page, address: string): Promise<(string | number)[]> {
  return tab.evaluate(async (url) => {
    const headers = { 'content-type': 'text/plain' };
    const answers = await Promise.allSettled([
      fetch(url, { credentials: 'include' }),
      fetch(url, { method: 'POST', credentials: 'include', mode: 'no-cors', headers, body: '{}' }),
    ]);
    return answers.map((one) => (one.status === 'fulfilled' ? one.value.status : 'refused'));
  }, address);
}

/** Signs out in another tab: the studio that is open says so, and leads back to the same session. */
async function signOutAndIn(ada: StudioPage, url: string): Promise<void> {
  const { page } = ada;
  const before = page.url();
  const tab = await page.context().newPage();
  await tab.goto(url);
  await tab.getByText('You are ada.').waitFor();
  await tab.getByRole('button', { name: 'Sign out' }).click();
  await tab.getByRole('link', { name: 'Sign in' }).waitFor();
  await tab.close();
  await ada.send('Refund A-18');
  await ada.shows(page.locator('.failure'), 'You are not signed in, or not any more.');
  await ada.screenshot(SCREENSHOTS, 'signed-out');
  assert.deepEqual(await ada.findings(), []);
  await page.locator('.failure').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, 'ada', 'analytical engine');
  await ada.shows(ada.card('refund'), 'Approved by mia');
  assert.equal(page.url(), before);
  // The page of the other port has created none.
  assert.equal(await page.locator('.session-open').count(), 1);
}
