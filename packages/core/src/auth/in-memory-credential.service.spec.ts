import { describeCredentialService } from '@adorn/testing/contracts';

import { InMemoryCredentialService } from './credential.service.js';

describeCredentialService('InMemoryCredentialService', async () => new InMemoryCredentialService());

describe('InMemoryCredentialService', () => {
  const ada = { appName: 'app', userId: 'ada' };
  const token = { type: 'bearer', token: 't-1' } as const;

  it.each<[string, (credentials: InMemoryCredentialService) => Promise<unknown>]>([
    ['save', (credentials) => credentials.save(ada, '', token)],
    ['save a long one', (credentials) => credentials.save(ada, 'k'.repeat(1_000), token)],
    ['load', (credentials) => credentials.load(ada, '')],
    ['delete', (credentials) => credentials.delete(ada, '')],
  ])('says that it is the key which is wrong: %s', async (_what, call) => {
    await expect(call(new InMemoryCredentialService())).rejects.toMatchObject({
      message: expect.stringMatching(/^The key of a credential /) as unknown,
    });
  });
});
