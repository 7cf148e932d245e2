import { slack } from '@adorn/channels';
import { serve } from '@adorn/server';
import { sqlStorage } from '@adorn/storage';
import { createRunner, type Model } from 'adorn';
import { chooseModel, reportFailure } from 'adorn/main';

import { OfflineSlack } from './offline-slack.js';
import { Support } from './support.agent.js';

/** Who writes in the channel: a customer, and a supervisor of the shop. */
const people: Readonly<Record<string, { readonly id: string; readonly roles: readonly string[] }>> = {
  ada: { id: 'ada', roles: [] },
  sam: { id: 'sam', roles: ['supervisor'] },
};

/** Plays a conversation with the support desk in Slack's shape, and passes on each line of it. */
export async function playDesk(
  model: Model | undefined,
  print: (line: string) => void,
  store = ':memory:',
): Promise<void> {
  await using slackServer = await OfflineSlack.open(print);
  const { signingSecret, botToken, apiUrl } = slackServer;
  const desk = slack({ signingSecret, botToken, apiUrl, principal: ({ id }) => people[id] });
  await using runner = await createRunner(Support, { model, plugins: [desk], modules: [sqlStorage(store)] });
  await using server = await serve(runner, { port: 0, endpoints: [desk] });
  const bot = new URL(desk.path, server.url).href;

  await slackServer.write(bot, 'ada', 'Hello, I am ada.keller@example.com and my postcode is 10969');
  await slackServer.write(bot, 'ada', 'The charger in W2611340 arrived damaged, please refund 160 euros');
  // More than 150 euros: she may not say yes herself.
  await slackServer.press(bot, 'ada', 'Approve');
  await slackServer.press(bot, 'sam', 'Approve');
  await slackServer.cardIsClosed();
  await slackServer.press(bot, 'sam', 'Reject');
}

/** `node build/slack-desk.js`: without Slack, and without a key. */
async function main(): Promise<void> {
  const { model, line } = chooseModel(process.env);
  console.log(line);
  await playDesk(model, (text) => {
    console.log(text);
  });
}

if (import.meta.filename === process.argv[1]) main().catch(reportFailure);
