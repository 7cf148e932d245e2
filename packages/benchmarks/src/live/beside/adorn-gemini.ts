import { GeminiLiveModel } from '@adorn/gemini';

import { openAdorn } from './open-adorn.js';
import type { OpenCaller } from './caller.js';

export const open: OpenCaller = (url, hear) =>
  openAdorn(new GeminiLiveModel({ apiKey: 'test', baseUrl: url }), hear);
