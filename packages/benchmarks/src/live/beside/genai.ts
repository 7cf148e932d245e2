// The floor of Gemini's wire: its own client, and nothing around it.
import { GoogleGenAI, Modality } from '@google/genai';

import type { OpenCaller } from './caller.js';

export const open: OpenCaller = async (url, hear) => {
  const client = new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } });
  const session = await client.live.connect({
    model: 'gemini-live-2.5-flash-preview',
    config: { responseModalities: [Modality.AUDIO] },
    callbacks: {
      onmessage: ({ serverContent }) => {
        const data = serverContent?.modelTurn?.parts?.[0]?.inlineData?.data;
        if (data !== undefined) hear(Buffer.from(data, 'base64'));
      },
    },
  });
  return {
    speak: (frame) => {
      const data = Buffer.from(frame).toString('base64');
      session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } });
    },
    close: () => {
      session.close();
    },
  };
};
