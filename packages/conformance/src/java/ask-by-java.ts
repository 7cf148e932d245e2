import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { serveA2a } from '@adorn/a2a';
import { createRunner } from '@adorn/core';
import { serve } from '@adorn/server';
import { callsTool, says, ScriptedModel, streams } from '@adorn/testing';

import { PEER_FOLDERS } from '../install-peer/install-peer.js';
import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';
import { orderDesk } from '../order-desk.js';

/** What a request was answered with. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The status of each request, and what its body says. */
const EXPECTED: Readonly<Record<string, readonly [status: number, says: string]>> = {
  apps: [200, '["desk"]'],
  created: [200, '"id":"s1"'],
  whole: [200, 'It is on its way.'],
  streamed: [200, 'data: '],
  missing: [404, 'Session not found'],
  session: [200, '"city":"Oslo"'],
  card: [200, '"name":"desk"'],
  sent: [200, 'Hello.'],
};

/** Java's `HttpClient`, which offers `h2c` with every request, gets the answer of each route. */
export async function askByJava(): Promise<Check[]> {
  const model = new ScriptedModel(
    callsTool('find_order', { orderId: 'A' }),
    says('It is on its way.'),
    streams('Still ', 'on its way.'),
    says('Hello.'),
  );
  await using runner = await createRunner(orderDesk(), { model });
  const server = await serve(runner, { port: 0, page: false, authenticate: () => 'ada' });
  const a2a = await serveA2a(runner, { port: 0, authenticate: () => 'ada' });
  try {
    const got = await answersOf(server.url, a2a.url);
    return Object.entries(EXPECTED).map(([what, [status, part]]) => {
      const { body = '', status: given } = got[what] ?? {};
      const told = body.includes(part)
        ? undefined
        : `the body has no ${JSON.stringify(part)}: ${body.slice(0, 200)}`;
      return { what, fault: findDifference(status, given) ?? told };
    });
  } finally {
    await Promise.all([server.close(), a2a.close()]);
  }
}

/** True if there is a Java that runs source files. */
export async function hasJava(): Promise<boolean> {
  const program = spawn('java', ['--list-modules'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const isStarted = once(program, 'spawn').then(
    () => true,
    () => false,
  );
  return (await isStarted) && (await text(program.stdout)).includes('jdk.compiler');
}

async function answersOf(...urls: readonly string[]): Promise<Readonly<Record<string, Answer>>> {
  const program = spawn('java', [join(PEER_FOLDERS.sources, 'java', 'Client.java'), ...urls], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answers = (await text(program.stdout)).trim().split('\n').map(readAnswer);
  return Object.fromEntries(answers);
}

function readAnswer(line: string): [name: string, answer: Answer] {
  const [name = '', status, body = ''] = line.split(' ');
  return [name, { status: Number(status), body: Buffer.from(body, 'base64').toString() }];
}
