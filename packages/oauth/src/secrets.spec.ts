import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { sqlStorage } from '@adorn/storage';
import { callsTool, eventsOf, says } from '@adorn/testing';
import {
  type AuthCredential,
  type ContainerModule,
  CredentialService,
  exportSession,
  type ToolContext,
} from '@adorn/core';

import { ADDRESS, ask, codeAuth, consentOf, onlyRequest, startClerk } from './clerk.fixture.js';
import {
  CLIENT_SECRET,
  consentInBrowser,
  type RunningProvider,
  startProvider,
} from './oidc-provider.fixture.js';

describe('S15 what a consent and its tokens are made of', () => {
  let provider: RunningProvider;
  let folder: string;
  beforeAll(async () => {
    provider = await startProvider();
    folder = await mkdtemp(join(tmpdir(), 'adorn-oauth-'));
  });
  afterAll(async () => {
    await provider.close();
    await rm(folder, { recursive: true });
  });

  it.each<[string, () => ContainerModule[]]>([
    ['in memory', () => []],
    ['in SQLite', () => [sqlStorage(join(folder, 'app.db'))]],
  ])('is in no event, row, log line, error or model request: %s', async (_where, storage) => {
    const canaries = new Set<string>([CLIENT_SECRET]);
    let runs = 0;
    const clerk = await startClerk({
      auth: codeAuth(provider),
      storage: storage(),
      steps: [
        callsTool('look'),
        says('Found.'),
        callsTool('look'),
        says('Found.'),
        callsTool('look'),
        says('Sorry.'),
      ],
      tool: {
        run: (_args: unknown, context: ToolContext) => {
          const { credential } = context;
          if (credential?.type !== 'oauth2') throw new Error('There is no token.');
          canaries.add(credential.accessToken);
          context.state.set('seen', { credential });
          context.logger.info('the tool was called', {
            credential,
            context: inspect(context, { depth: 12 }),
          });
          if (++runs === 2) throw new Error(`The service said: Bearer ${credential.accessToken}`);
          return { used: credential };
        },
      },
    });
    const seen: unknown[] = [await ask(clerk)];
    const request = await onlyRequest(clerk.runner);
    const store = clerk.runner.get(CredentialService);
    const owner = { appName: 'clerk', userId: 'ada' };
    for (const secret of secretsOf(await store.load(owner, `consent:${consentOf(request).state}`)))
      canaries.add(secret);
    const address = await consentInBrowser(consentOf(request).authUri);
    canaries.add(new URL(address).searchParams.get('code') ?? '');

    seen.push(await eventsOf(clerk.runner.supply(request, address)));
    seen.push(await eventsOf(clerk.runner.supply(request, address)).catch(inspect));
    clerk.clock.advance(300);
    const key = request.authConfig?.credentialKey ?? '';
    for (const secret of secretsOf(await store.load(owner, key))) canaries.add(secret);
    seen.push(await ask(clerk));
    clerk.clock.advance(300);
    for (const secret of secretsOf(await store.load(owner, key))) canaries.add(secret);
    provider.failWith = 500;
    seen.push(await ask(clerk));
    provider.failWith = undefined;

    const { sessions } = clerk.runner;
    const session = await sessions.getSession({ appName: 'clerk', ...ADDRESS });
    for await (const line of exportSession(sessions, { appName: 'clerk', ...ADDRESS })) seen.push(line);
    seen.push(session?.events, session?.state, clerk.model.requests, clerk.log.lines, request);
    seen.push(inspect(clerk.runner, { depth: 12, showHidden: true }));
    await clerk.runner.close();
    const files = await contentsOf(folder);
    const texts = seen.flatMap((one) => [
      JSON.stringify(one),
      inspect(one, { depth: null, showHidden: true }),
    ]);
    expect(canaries.size).toBeGreaterThan(5);
    for (const canary of canaries) {
      expect(texts.filter((text) => text.includes(canary))).toEqual([]);
      expect(files.filter(({ bytes }) => bytes.includes(canary)).map(({ name }) => name)).toEqual([]);
    }
  });
});

/** The secrets of a stored credential or consent. */
function secretsOf(stored: AuthCredential | undefined): string[] {
  if (stored?.type === 'custom')
    return Object.values(JSON.parse(stored.values['secrets'] ?? '{}') as object) as string[];
  if (stored?.type !== 'oauth2') throw new Error('Nothing is stored.');
  return [stored.accessToken, stored.refreshToken ?? ''];
}

async function contentsOf(folder: string) {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}
