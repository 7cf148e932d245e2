/** @isolated */
import { jest } from '@jest/globals';

import { S3ContentStore } from './s3-content-store.js';

it('says what to install where the client is not there', async () => {
  jest.unstable_mockModule('@aws-sdk/client-s3', () => {
    throw new Error("Cannot find package '@aws-sdk/client-s3'");
  });
  const store = new S3ContentStore({ bucket: 'files' });

  await expect(store.open('0'.repeat(64))).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message:
      'Storing artifacts at s3://files/ needs the package @aws-sdk/client-s3, which is not installed. ' +
      'Run `npm install @aws-sdk/client-s3`, or store the content in files.',
  });
});
