import {
  InMemorySessionService,
  LiveRequestQueue,
  LlmAgent,
  LogLevel,
  Runner,
  setLogLevel,
  Gemini,
} from '@google/adk';

setLogLevel(LogLevel.ERROR);

const sessionService = new InMemorySessionService();
let runner;

export async function open(url, hear) {
  process.env.GOOGLE_GEMINI_BASE_URL = url;
  const model = new Gemini({ model: 'gemini-live-2.5-flash-preview', apiKey: 'test' });
  const agent = new LlmAgent({ name: 'desk', instruction: 'Be kind.', model });
  runner ??= new Runner({ appName: 'bench', agent, sessionService });
  const { id: sessionId } = await sessionService.createSession({ appName: 'bench', userId: 'ada' });
  const liveRequestQueue = new LiveRequestQueue();
  const runConfig = { responseModalities: ['AUDIO'], outputAudioTranscription: {} };
  const events = runner.runLive({ userId: 'ada', sessionId, liveRequestQueue, runConfig });
  const reading = (async () => {
    for await (const { content } of events) {
      const data = content?.parts?.[0]?.inlineData?.data;
      if (data !== undefined) hear(Buffer.from(data, 'base64'));
    }
  })();
  reading.catch(() => undefined);
  return {
    speak: (frame) => {
      const data = Buffer.from(frame).toString('base64');
      liveRequestQueue.sendRealtime({ data, mimeType: 'audio/pcm;rate=16000' });
    },
    close: () => liveRequestQueue.close(),
  };
}
