import fc from 'fast-check';

import { TestDesk } from '../request.fixture.js';

const SHOWN = [
  'image/png',
  'audio/mpeg',
  'video/webm',
  'application/pdf',
  'text/plain',
  'text/plain; charset=utf-8',
  'audio/ogg;codecs="opus"',
];
const DOWNLOADED = [
  'text/html',
  'text/plain,text/html',
  'video/webm,text/html',
  'audio/x,text/html',
  'image/png, text/html',
  'image/svg+xml',
  'text/plain;charset=utf-8,text/html',
  'text/plain\r\nx-other: 1',
  'text/plain; x="é"',
  'text/plain ☃',
  'audio/ü',
];

describe('a file of a session', () => {
  it('is shown in the page only if its whole type is one that cannot run', async () => {
    await using desk = await TestDesk.open([]);
    await desk.session('s1');
    const key = { appName: 'desk', userId: 'ada', sessionId: 's1' };
    for (const mimeType of [...SHOWN, ...DOWNLOADED]) {
      await desk.runner.artifacts.save(key, 'file', { inlineData: { mimeType, data: 'aGVsbG8=' } });
      const file = await desk.send('/adorn/apps/desk/sessions/s1/artifacts/file');
      const [type, disposition] = [file.headers.get('content-type'), file.headers.get('content-disposition')];
      const isShown = SHOWN.includes(mimeType);
      expect([mimeType, file.status, type]).toEqual([
        mimeType,
        200,
        isShown ? mimeType : 'application/octet-stream',
      ]);
      expect(disposition).toMatch(isShown ? /^inline;/ : /^attachment;/);
      expect(await file.text()).toBe('hello');
    }
  });

  it('is sent whatever its type is', async () => {
    await using desk = await TestDesk.open([]);
    await desk.session('s1');
    const key = { appName: 'desk', userId: 'ada', sessionId: 's1' };
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.constantFrom('', ...SHOWN),
        async (odd, start) => {
          const mimeType = start + odd;
          await desk.runner.artifacts.save(key, 'file', { inlineData: { mimeType, data: 'aGVsbG8=' } });
          const file = await desk.send('/adorn/apps/desk/sessions/s1/artifacts/file');
          expect([file.status, await file.text()]).toEqual([200, 'hello']);
          expect(file.headers.get('content-type')).not.toMatch(/html|svg|xml/);
        },
      ),
      { numRuns: 50 },
    );
  });
});
