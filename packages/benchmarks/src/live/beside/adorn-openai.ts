import { OpenAiRealtimeModel } from '@adorn/openai-realtime';

import { openAdorn } from './open-adorn.js';
import type { OpenCaller } from './caller.js';

export const open: OpenCaller = (url, hear) =>
  openAdorn(new OpenAiRealtimeModel({ apiKey: 'test', baseUrl: `${url}/v1` }), hear);
