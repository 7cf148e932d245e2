import { isRefusedBeforehand } from './refused-requests.js';

describe('a peer', () => {
  it.each([-32_700, -32_600, -32_601, -32_602])(
    'has run nothing that it answers with the error %d',
    (code) => {
      expect(isRefusedBeforehand({ code })).toBe(true);
      expect(isRefusedBeforehand({ code, status: 400 })).toBe(true);
    },
  );

  it.each([-32_603, -32_000, -32_001, -32_002, -32_050, -1, 0, 500])(
    'may have run what it answers with the error %d',
    (code) => {
      expect(isRefusedBeforehand({ code })).toBe(false);
      expect(isRefusedBeforehand({ code, status: 404 })).toBe(false);
    },
  );

  it.each([401, 403, 404, 405, 406, 410, 411, 413, 414, 415, 421, 429, 431, 501])(
    'has run nothing that it answers with HTTP %d',
    (status) => {
      expect(isRefusedBeforehand({ status })).toBe(true);
    },
  );

  it.each([undefined, 200, 202, 302, 400, 402, 408, 409, 412, 422, 423, 425, 499, 500, 502, 503, 504, 520])(
    'may have run what it answers with HTTP %s',
    (status) => {
      expect(isRefusedBeforehand({ status })).toBe(false);
    },
  );
});
