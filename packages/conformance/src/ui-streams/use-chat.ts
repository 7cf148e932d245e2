import { callsTool, streams } from '@adorn/testing';

import type { Check } from '../check.js';
import { ChatPage, type ToolsOfPage } from './chat-page.js';
import { Checklist } from './checklist.js';
import { FrontDesk, TALK } from './front-desk.js';

const ID = 'c1';

/** Text, a call with its result, an approval and a refusal, on one page. */
export async function talkByUseChat(): Promise<Check[]> {
  const list = new Checklist();
  await using desk = await FrontDesk.open(TALK);
  await using page = await ChatPage.open(desk, ID);
  await page.send('Hi');
  await page.untilReady('text Good day.');
  list.equal('a text', ['user: text Hi', 'assistant: text Good day.'], page.shown);

  await page.send('Refund A');
  await page.untilReady('refund approval-requested');
  const asked = 'assistant: find_order output-available, refund approval-requested';
  list.equal('a call with its result, and an approval that is asked for', asked, page.shown.at(-1));
  list.equal('nothing is done before the approval', [], desk.refunds);

  await page.decide(true);
  await page.untilReady('text Refunded.');
  const done = 'assistant: find_order output-available, refund output-available, text Refunded.';
  list.equal('an approval, which continues the message', done, page.shown.at(-1));
  list.equal('the approved call ran once', ['A'], desk.refunds);

  await page.send('Refund B');
  await page.untilReady('refund approval-requested');
  await page.decide(false, 'No.');
  await page.untilReady('text As you like.');
  list.equal('a refusal', 'assistant: refund output-denied, text As you like.', page.shown.at(-1));
  list.equal('the refused call did not run', ['A'], desk.refunds);
  list.equal('no error', undefined, page.chat.error?.message);
  const live = page.shown;
  await using again = await ChatPage.open(desk, ID, true);
  list.equal('a reload shows the same conversation', live, again.shown);
  return list.checks;
}

/** The page is loaded again while a tool runs, while an approval waits, and while an approved call runs. */
export async function reloadUseChat(): Promise<Check[]> {
  const list = new Checklist();
  await using desk = await FrontDesk.open([
    callsTool('count_stock'),
    callsTool('refund', { orderId: 'C' }),
    streams('Do', 'ne.'),
    callsTool('refund', { orderId: 'D' }),
    streams('Left ', 'alone.'),
  ]);
  {
    await using first = await ChatPage.open(desk, ID);
    first.begin('Count, then refund C');
    await first.until(() => first.shown.at(-1)?.includes('count_stock') === true);
    list.equal('a tool runs', 'assistant: count_stock input-available', first.shown.at(-1));
    await first.chat.stop();
  }
  {
    await using second = await ChatPage.open(desk, ID, true);
    await second.until(() => second.shown.at(-1)?.includes('count_stock') === true);
    const running = ['user: text Count, then refund C', 'assistant: count_stock input-available'];
    list.equal('a reload follows the run that is active', running, second.shown);
    desk.release();
    await second.untilReady('refund approval-requested');
    const waiting = 'assistant: count_stock output-available, refund approval-requested';
    list.equal('the run goes on to its approval', waiting, second.shown.at(-1));
  }
  await using third = await ChatPage.open(desk, ID, true);
  await third.untilReady('refund approval-requested');
  const waiting = 'assistant: count_stock output-available, refund approval-requested';
  list.equal('a reload shows the approval that waits', waiting, third.shown.at(-1));
  await third.decide(true);
  await third.untilReady('text Done.');
  const done = 'assistant: count_stock output-available, refund output-available, text Done.';
  list.equal('an approval after the reload', done, third.shown.at(-1));
  list.equal('the approved call ran once', ['C'], desk.refunds);
  await third.send('Refund D');
  await third.untilReady('refund approval-requested');
  await using fourth = await ChatPage.open(desk, ID, true);
  await fourth.untilReady('refund approval-requested');
  await fourth.decide(false);
  await fourth.untilReady('text Left alone.');
  list.equal(
    'a refusal after a reload',
    'assistant: refund output-denied, text Left alone.',
    fourth.shown.at(-1),
  );
  list.equal('the refused call did not run', ['C'], desk.refunds);
  list.equal('no error', undefined, fourth.chat.error?.message);
  return list.checks;
}

/** The model calls a tool of the page twice, the page runs it by itself, and the conversation is there after a reload. */
export async function runToolsOfPage(): Promise<Check[]> {
  const list = new Checklist();
  const colors: unknown[] = [];
  const tools: ToolsOfPage = {
    set_theme: {
      description: 'Sets the colour of the page.',
      parameters: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] },
      run: (input) => {
        colors.push(input);
        return { done: true };
      },
    },
  };
  await using desk = await FrontDesk.open([
    callsTool('set_theme', { color: 'red' }),
    callsTool('find_order', { orderId: 'A' }),
    callsTool('set_theme', { color: 'blue' }),
    streams('Red, ', 'then blue.'),
  ]);
  await using page = await ChatPage.open(desk, ID, false, tools);
  await page.send('Red, then blue');
  await page.untilReady('text Red, then blue.');
  const done =
    'assistant: set_theme output-available, find_order output-available, set_theme output-available, text Red, then blue.';
  list.equal('the page runs its tools, beside one of the server', done, page.shown.at(-1));
  list.equal('each call was run once', [{ color: 'red' }, { color: 'blue' }], colors);
  list.equal('no error', undefined, page.chat.error?.message);
  const live = page.shown;
  await using again = await ChatPage.open(desk, ID, true, tools);
  list.equal('a reload shows the same conversation', live, again.shown);
  list.equal('and runs nothing again', 2, colors.length);
  return list.checks;
}
