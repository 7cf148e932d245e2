import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createRunner, defineAgent } from '@adorn/core';
import { mcpToolset } from '@adorn/mcp';
import { serve } from '@adorn/server';
import { callsTool, says, ScriptedModel } from '@adorn/testing';
import type { Browser, FrameLocator } from 'playwright-core';

import { bundleProgram } from '../clients/bundle-program.js';
import { StudioPage } from '../studio-page.js';
import { SCREENSHOTS } from '../two-people.js';

const SERVER = fileURLToPath(new URL('rooms-server.js', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../../src/page/mcp-apps/rooms.program.ts', import.meta.url));

/** All that a hostile page tries fails, in an origin of its own. */
const TRIES = [
  'origin null',
  'reads the studio: failed',
  'reads cookies: failed',
  'reads storage: failed',
  'asks the server: failed',
  'asks another site: failed',
  'loads a picture: failed',
  'opens a window: failed',
  'leads the studio away: failed',
];

/**
 * A page of an MCP server in the studio (MCP Apps), made with its SDK: it shows a call, calls a tool that asks for a confirmation, and
 * gets nothing that it must not have.
 */
export async function playMcpApps(browser: Browser): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'adorn-rooms-'));
  const pageFile = join(folder, 'page.html');
  const script = (await bundleProgram(PROGRAM)).replaceAll('</script', String.raw`<\/script`);
  writeFileSync(
    pageFile,
    `<!doctype html><title>Rooms</title><body><script type="module">${script}</script>`,
  );
  const rooms = mcpToolset({ command: process.execPath, args: [SERVER, pageFile], name: 'rooms' });
  const model = new ScriptedModel(
    callsTool('show_rooms', {}),
    says('There they are.'),
    says('You are welcome.'),
  );
  const Desk = defineAgent({ name: 'desk', description: 'Rents rooms.', model, tools: [rooms] });
  await using runner = await createRunner(Desk);
  await using server = await serve(runner, { port: 0 });
  const studio = await StudioPage.open(browser, server.pageUrl);
  try {
    await studio.send('Show the rooms');
    await studio.settled();
    const page = studio.page.frameLocator('iframe[title="Page of show_rooms"]');
    await shows(page, '#shown', '{"rooms":["Oak","Elm"]}');
    await shows(page, '#tries', 'leads the studio away');
    assert.deepEqual((await page.locator('#tries').textContent())?.split('\n'), TRIES);
    await studio.screenshot(SCREENSHOTS, 'mcp-apps-shown');

    await page.locator('#refresh').click();
    await shows(page, '#outcome', 'refresh: {"content":[{"type":"text","text":"refreshed"}]}');
    await studio.shows(studio.card('refresh_rooms'), 'done');
    await page.locator('#forbidden').click();
    await shows(page, '#outcome', 'may not call');

    await page.locator('#book').click();
    await studio.shows(studio.card('book_room'), 'Approve the call of `book_room` of the MCP server rooms?');
    await shows(page, '#outcome', 'book …');
    await studio.screenshot(SCREENSHOTS, 'mcp-apps-asks');
    await studio.action('approve').click();
    await shows(page, '#outcome', 'book: {"content":[{"type":"text","text":"booked Oak"}]}');
    await studio.shows(studio.card('book_room'), 'booked Oak');

    await page.locator('#book').click();
    await studio.action('reject').click();
    await studio.page.getByLabel('Reason').press('Enter');
    await shows(page, '#outcome', '"isError":true');

    await page.locator('#link').click();
    await studio.shows(studio.page.locator('.call-wish'), 'https://example.com/rooms');
    assert.equal(studio.page.context().pages().length, 1);
    const findings = await studio.findings();
    assert.deepEqual(findings, []);
    await wish(studio, 'No').click();
    await shows(page, '#outcome', 'link: {"isError":true}');
    await page.locator('#link').click();
    const opening = studio.page.context().waitForEvent('page');
    await wish(studio, 'Open').click();
    await (await opening).close();
    await shows(page, '#outcome', 'link: {}');

    await page.locator('#say').click();
    await studio.shows(studio.page.locator('.call-wish'), 'Thanks');
    await wish(studio, 'Send').click();
    await studio.shows(studio.answer(), 'You are welcome.');

    await page.locator('#leave').click();
    await studio.page.getByText('The page of the call cannot be shown').waitFor();
    assert.equal(model.requests.length, 3);
  } finally {
    await studio.close();
    rmSync(folder, { recursive: true });
  }
}

/** A button of what the page wants. */
function wish({ page }: StudioPage, name: string) {
  return page.locator('.call-wish').getByRole('button', { name });
}

async function shows(page: FrameLocator, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).waitFor();
}
