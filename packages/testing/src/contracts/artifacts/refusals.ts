import type { Part } from '@adorn/core';
import { expect, it } from '../test-runner.js';
import { refusalOf } from '../refusal-of.js';

import type { OpenArtifacts } from '../describe-artifact-service.js';
import { NOT_A_NAME, NOT_NAMES, REFUSAL, TOO_LONG } from '../hostile-names.js';
import { KEY } from '../sessions/conversation.js';

/** Values that a model or an untyped caller may pass. */
const NO_FILES: Readonly<Record<string, unknown>> = {
  'nothing at all': undefined,
  'a part without content': {},
  'a part that is a call': { functionCall: { name: 'f', args: {} } },
  'bytes without a MIME type': { inlineData: { data: 'AAAA' } },
  'bytes with an empty MIME type': { inlineData: { mimeType: '', data: 'AAAA' } },
  'a MIME type without bytes': { inlineData: { mimeType: 'image/png' } },
  'bytes that are not encoded': { inlineData: { mimeType: 'image/png', data: Buffer.from('raw') } },
  'data that is not base64': { inlineData: { mimeType: 'image/png', data: 'not base64!!' } },
  'base64 that breaks off': { inlineData: { mimeType: 'image/png', data: 'AAAAA' } },
  'the address of no file': { fileData: { mimeType: 'image/png' } },
  'a text that is none': { text: 12 },
};

/** Invalid files are refused, and nothing of them is stored. */
export function promisesOfRefusals(open: OpenArtifacts): void {
  it.each(Object.entries(NO_FILES))('refuses %s', async (_what, part) => {
    const artifacts = await open();

    const refused = artifacts.save(KEY, 'a.bin', part as Part);

    await expect(refused).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
    expect(await artifacts.list(KEY)).toEqual([]);
    expect(await artifacts.save(KEY, 'a.bin', { text: 'the first' })).toBe(0);
  });

  it.each(['', 'user:'])('refuses the name "%s"', async (name) => {
    const artifacts = await open();

    const refusals = [
      artifacts.save(KEY, name, { text: 'one' }),
      artifacts.saveStream(KEY, name, { mimeType: 'text/plain', content: nothing() }),
    ];

    for (const refused of refusals) await expect(refused).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
    expect(await artifacts.list(KEY)).toEqual([]);
  });

  it('refuses a stream without a MIME type', async () => {
    const artifacts = await open();

    const refused = artifacts.saveStream(KEY, 'a.bin', { mimeType: '', content: nothing() });

    await expect(refused).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
    expect(await artifacts.list(KEY)).toEqual([]);
  });

  it.each(NOT_NAMES)('refuses %s as a name, in every method', async (_what, given) => {
    const artifacts = await open();

    for (const field of ['appName', 'userId', 'sessionId', 'name']) {
      const { name, ...scope } = { ...KEY, name: 'a.bin', [field]: given };
      const upload = { mimeType: 'text/plain', content: nothing() };
      const isEmptyFile = field === 'name' && given === '';
      const refusal = isEmptyFile ? { code: 'ARTIFACT_INVALID' } : NOT_A_NAME;
      await expect(artifacts.save(scope, name, { text: 'one' })).rejects.toMatchObject(refusal);
      await expect(artifacts.saveStream(scope, name, upload)).rejects.toMatchObject(refusal);
      expect(await refusalOf(artifacts.load(scope, name))).toMatchObject(NOT_A_NAME);
      expect(await refusalOf(artifacts.openStream(scope, name))).toMatchObject(NOT_A_NAME);
      expect(await refusalOf(artifacts.versions(scope, name))).toMatchObject(NOT_A_NAME);
      expect(await refusalOf(artifacts.delete(scope, name))).toMatchObject(NOT_A_NAME);
      if (field !== 'name') expect(await refusalOf(artifacts.list(scope))).toMatchObject(NOT_A_NAME);
    }
  });

  it.each(TOO_LONG)('refuses %s in a name, and saves nothing', async (_what, long) => {
    const artifacts = await open();

    for (const field of ['appName', 'userId', 'sessionId', 'name']) {
      const { name, ...scope } = { ...KEY, name: 'a.bin', [field]: long };
      const upload = { mimeType: 'text/plain', content: nothing() };
      expect(await refusalOf(artifacts.save(scope, name, { text: 'one' }))).toMatchObject(REFUSAL);
      expect(await refusalOf(artifacts.saveStream(scope, name, upload))).toMatchObject(REFUSAL);
      expect(await artifacts.load(scope, name)).toBeUndefined();
      expect(await artifacts.list(scope)).toEqual([]);
    }
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A stream that ends at once.
}
