import assert from 'node:assert/strict';

import { consent } from './consent-provider.js';
import { Orders } from './shop.js';
import { LIVE } from './shop-model.js';
import type { StudioPage } from './studio-page.js';

/** What a person does on the page, and what must be seen then. Each begins on the page of a new session. */
export const CONVERSATIONS: Readonly<Record<string, (studio: StudioPage) => Promise<void>>> = {
  'an answer is streamed, and Markdown is shown': async (studio) => {
    await studio.send('Tell me a long story');
    await studio.page.locator('.answer.is-streaming').waitFor();
    await studio.settled();
    await studio.send('Hello');
    await studio.settled();
    await studio.shows(studio.answer().locator('strong'), 'find orders');
    assert.equal(await studio.page.locator('.answer').count(), 2);
  },
  'an answer is disliked with a reason, which a reload shows, and then it is taken back': async (studio) => {
    await studio.send('Hello');
    await studio.settled();
    const bad = studio.answer().getByRole('button', { name: 'A bad answer' });
    const why = studio.answer().getByRole('textbox', { name: 'Why' });
    await studio.answer().hover();
    await bad.click();
    await why.fill('Too short.');
    await why.press('Enter');
    await studio.button('Save').waitFor({ state: 'detached' });
    await studio.page.reload();
    await why.waitFor();
    assert.equal(await why.inputValue(), 'Too short.');
    assert.equal(await bad.getAttribute('aria-pressed'), 'true');
    assert.deepEqual(await studio.findings(), []);
    await bad.click();
    await why.waitFor({ state: 'detached' });
    assert.equal(await bad.getAttribute('aria-pressed'), 'false');
  },
  'parallel tools are cards with results, and bars beside each other': async (studio) => {
    await studio.send('Where is A-17?');
    await studio.settled();
    await studio.shows(studio.card('find_order'), 'done in');
    await studio.shows(studio.card('track_parcel'), 'Berlin');
    assert.equal(await studio.page.locator('button.bar-tool').count(), 2);
    assert.equal(await studio.page.locator('button.bar-model').count(), 2);
  },
  'a confirmation is approved': async (studio) => {
    const before = Orders.refunds.length;
    await studio.send('Refund A-17');
    await studio.shows(studio.card('refund'), 'Refund 39.90 EUR');
    await studio.action('approve').click();
    await studio.shows(studio.answer(), 'That is settled.');
    await studio.settled();
    await studio.shows(studio.card('refund'), 'done');
    assert.equal(Orders.refunds.length, before + 1);
  },
  'a confirmation is approved with other arguments': async (studio) => {
    await studio.send('Refund A-17');
    await studio.button('Change arguments').click();
    await studio.page.getByLabel('Cents').fill('1000');
    await studio.shows(studio.action('approve'), 'Refund with changes');
    await studio.action('approve').click();
    await studio.shows(studio.answer(), 'That is settled.');
    await studio.settled();
    assert.deepEqual(Orders.refunds.at(-1), { orderId: 'A-17', cents: 1000, reason: 'damaged' });
  },
  'a confirmation is rejected with a reason, by the keyboard alone': async (studio) => {
    const before = Orders.refunds.length;
    await studio.send('Refund A-17');
    await studio.button('Change arguments').waitFor();
    await studio.settled();
    await studio.page.locator('.conversation').focus();
    await studio.page.keyboard.press('r');
    await studio.page.getByLabel('Reason').waitFor();
    await studio.page.keyboard.type('Ada wants to think about it.');
    await studio.page.keyboard.press('Enter');
    await studio.shows(studio.answer(), 'That is settled.');
    await studio.settled();
    await studio.shows(studio.card('refund'), 'refused');
    assert.equal(Orders.refunds.length, before);
  },
  'an input is a form of its schema': async (studio) => {
    await studio.send('Register a customer');
    await studio.page.getByLabel('Name', { exact: true }).fill('Ada');
    await studio.action('approve').click();
    await studio.shows(studio.card('register'), 'registered Ada');
    await studio.settled();
  },
  'a hand-over is shown, and has a row of its own': async (studio) => {
    await studio.send('Can I return it?');
    await studio.settled();
    await studio.shows(studio.answer(), 'within 30 days');
    await studio.shows(studio.page.locator('.transfer'), 'hands over to returns');
    assert.equal(await studio.page.locator('.plot-row').count(), 2);
  },
  'a tool that fails and a run that fails say why': async (studio) => {
    await studio.send('Ask the warehouse');
    await studio.settled();
    await studio.shows(studio.card('break_down'), 'failed');
    await studio.send('Fail');
    await studio.shows(studio.page.locator('.failure').first(), 'The answer was blocked.');
    await studio.settled();
  },
  'a run is stopped': async (studio) => {
    await studio.send('Count the stock');
    await studio.shows(studio.card('count_stock'), 'running');
    await studio.button('Stop the run').click();
    await studio.settled();
    await studio.button('Send').waitFor();
    await studio.shows(studio.page.locator('.failure').first(), 'CANCELLED');
  },
  'a message is sent in the place of the run that goes on': async (studio) => {
    await studio.send('Count the stock');
    await studio.shows(studio.card('count_stock'), 'running');
    const area = studio.page.getByRole('textbox', { name: 'Message', exact: true });
    await area.fill('Hello');
    await studio.page.getByLabel('When the message is read').selectOption('instead');
    await area.press('Enter');
    await studio.shows(studio.page.locator('.failure').first(), 'CANCELLED');
    await studio.shows(studio.answer(), 'find orders');
    await studio.settled();
  },
  'a message that the run has not read begins the next one, which is shown': async (studio) => {
    await studio.send('Tell me a long story');
    await studio.shows(studio.answer(), 'Sentence 3');
    await studio.send('Hello');
    await studio.shows(studio.answer(), 'find orders');
    await studio.settled();
    assert.equal(await studio.page.locator('.answer').count(), 2);
  },
  'a reload in the middle of a run goes on': async (studio) => {
    await studio.send('Tell me a long story');
    await studio.shows(studio.answer(), 'Sentence 3');
    await studio.page.reload();
    await studio.shows(studio.answer(), 'Sentence 60 of the story.');
    await studio.settled();
    assert.equal(await studio.page.locator('.answer').count(), 1);
  },
  'a request still waits after a reload': async (studio) => {
    await studio.send('Refund A-17');
    await studio.button('Change arguments').waitFor();
    await studio.settled();
    await studio.page.reload();
    await studio.action('approve').click();
    await studio.shows(studio.answer(), 'That is settled.');
    await studio.settled();
  },
  'a session is renamed, found and deleted': async (studio) => {
    await studio.send('Hello');
    await studio.settled();
    await studio.page.locator('.session.is-open').hover();
    await studio.page
      .locator('.session.is-open')
      .getByRole('button', { name: /^Rename/ })
      .click();
    await studio.page.getByLabel('Title').fill('A greeting');
    await studio.page.keyboard.press('Enter');
    await studio.shows(studio.page.locator('.chat-head h1'), 'A greeting');
    await studio.page.getByLabel('Search sessions').fill('greeting');
    assert.equal(await studio.page.locator('.session').count(), 1);
    await studio.page.locator('.session').hover();
    await studio.button('Delete A greeting').click();
    await studio.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await studio.shows(studio.page.locator('.chat-head h1'), 'New session');
    await studio.shows(studio.page.locator('.session-entries'), 'No session has');
  },
  'the state has its history, and a file its version': async (studio) => {
    await studio.send('Note that Ada prefers mail');
    await studio.shows(studio.answer(), 'I have noted it.');
    await studio.settled();
    await studio.open('State');
    await studio.shows(studio.page.locator('.changes'), 'Prefers mail.');
    await studio.open('Files');
    await studio.shows(studio.page.locator('.file-entry'), 'version 0');
  },
  'an event is opened from the timeline, and stepped through by keys': async (studio) => {
    await studio.send('Where is A-17?');
    await studio.settled();
    await studio.page.locator('button.bar-tool').first().click();
    await studio.shows(studio.page.locator('.inspector-body'), 'Arguments');
    const first = new URL(studio.page.url()).searchParams.get('event');
    await studio.page.keyboard.press('j');
    await studio.page.waitForFunction((id) => new URL(location.href).searchParams.get('event') !== id, first);
    await studio.page.reload();
    await studio.shows(studio.page.locator('.inspector-body'), 'Event');
  },
  'a session is forked at an event': async (studio) => {
    await studio.send('Where is A-17?');
    await studio.settled();
    const before = studio.page.url();
    await studio.page.locator('button.bar-tool').first().click();
    await studio.button('Fork from here').click();
    await studio.page.waitForFunction(
      (url) =>
        new URL(location.href).searchParams.get('session') !== new URL(url).searchParams.get('session'),
      before,
    );
    await studio.card('find_order').waitFor();
    assert.equal(await studio.page.locator('.answer').count(), 0);
    await studio.shows(studio.page.locator('.chat-head h1'), 'Where is A-17? (fork)');
  },
  'a tool is called from the playground': async (studio) => {
    await studio.open('Agents');
    await studio.button(/^find_order/).click();
    await studio.page.getByLabel('Order id').fill('B-2');
    await studio.button('Run').last().click();
    await studio.shows(studio.page.locator('.playground .json'), 'shipped');
    await studio.shows(studio.page.locator('.chat-head h1'), 'Call of find_order');
  },
  'a conversation is kept as a case of an eval set, and played again': async (studio) => {
    await studio.send('Where is A-17?');
    await studio.settled();
    await studio.open('Evals');
    await studio.page.getByLabel('New eval set').fill('orders');
    await studio.button('Create').click();
    await studio.page.getByLabel('Keep this conversation as').fill('A-17');
    await studio.button('Keep').click();
    await studio.button('Run all').click();
    await studio.shows(studio.page.locator('.eval-case'), 'passed');
    await studio.button(/^A-17$/).click();
    await studio.shows(studio.page.locator('.eval-turn'), 'find_order {"orderId":"A-17"}');
    await studio.button('Delete the case A-17').click();
    await studio.shows(studio.page.locator('.evals'), 'No cases yet.');
  },
  'the request of a message is explained': async (studio) => {
    await studio.send('Hello');
    await studio.settled();
    await studio.page.getByLabel('Message to explain').fill('And now?');
    await studio.button('Explain').click();
    await studio.shows(studio.page.locator('.explain'), 'No model was called');
  },
  'a credential is obtained in a window, which comes back from another site': async (studio) => {
    await studio.send('What is in my calendar?');
    await studio.shows(studio.card('read_calendar'), 'consent');
    const opened = studio.page.waitForEvent('popup');
    await studio.action('approve').click();
    await consent(await opened);
    await studio.shows(studio.answer(), 'You are free on Friday.');
    await studio.settled();
  },
  'a picture that was saved is shown': async (studio) => {
    await studio.send('Draw the parcel');
    await studio.shows(studio.answer(), 'There it is.');
    await studio.settled();
    await studio.open('Files');
    await studio.page.locator('.file-image').waitFor();
  },
  'a live conversation is heard and answered, with a level and a transcript': async (studio) => {
    await studio.button('Talk to the agent').click();
    await studio.page.getByRole('meter', { name: 'Microphone' }).waitFor();
    await studio.shows(studio.answer(), 'It is in Berlin, and arrives on Friday.');
    await studio.shows(studio.page.locator('.thread'), 'Where is my parcel?');
    await studio.shows(studio.page.locator('.chat-head h1'), 'Live conversation');
    await studio.button(/^End$/).click();
    await studio.page.locator('.live-bar').waitFor({ state: 'detached' });
    await studio.settled();
  },
  "the microphone is sent at the browser's rate, and heard at that of the model": async (studio) => {
    const sent: SentSpeech[] = [];
    const hasSentMuch = new Promise<void>((resolve) => {
      studio.page.on('websocket', (socket) => {
        socket.on('framesent', ({ payload }) => sent.push(speechOf(String(payload))) === 20 && resolve());
      });
    });
    await studio.button('Talk to the agent').click();
    await studio.showsLevel();
    await hasSentMuch;
    await studio.button(/^End$/).click();
    await studio.page.locator('.live-bar').waitFor({ state: 'detached' });
    const rate = await studio.page.evaluate(() => new AudioContext().sampleRate);
    assert.deepEqual([...new Set(sent.map(({ mimeType }) => mimeType))], [`audio/pcm;rate=${String(rate)}`]);
    const seconds = sent.reduce((sum, { bytes }) => sum + bytes, 0) / 2 / rate;
    const heard =
      LIVE.latest?.connection.sent.flatMap((one) => (one.kind === 'audio' ? [one.data] : [])) ?? [];
    const heardSeconds = heard.reduce((sum, { length }) => sum + length, 0) / 2 / LIVE.capabilities.inputRate;
    assert.ok(seconds > 1.5, `${String(seconds)} s of speech were sent`);
    assert.ok(
      Math.abs(heardSeconds - seconds) < 0.25,
      `${String(heardSeconds)} of ${String(seconds)} s were heard`,
    );
    assert.ok(heard.some(isLoud), 'the tone of the microphone was not heard');
  },
};

interface SentSpeech {
  readonly mimeType: string;
  readonly bytes: number;
}

/** What the page says in a frame of its live connection. */
function speechOf(frame: string): SentSpeech {
  const { blob } = JSON.parse(frame) as {
    readonly blob: { readonly mime_type: string; readonly data: string };
  };
  return { mimeType: blob.mime_type, bytes: Buffer.from(blob.data, 'base64').length };
}

/** True if PCM16 has a sample of at least -30 dB. */
function isLoud(speech: Uint8Array): boolean {
  const samples = new Int16Array(speech.slice().buffer);
  return samples.some((sample) => Math.abs(sample) > 0x7fff / 32);
}
