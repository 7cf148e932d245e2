import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from '@openai/agents-realtime';

export async function open(url, hear) {
  const agent = new RealtimeAgent({ name: 'desk', instructions: 'Be kind.' });
  const address = `${url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`;
  const transport = new OpenAIRealtimeWebSocket({ url: address, useInsecureApiKey: true });
  const session = new RealtimeSession(agent, { transport, tracingDisabled: true });
  session.on('audio', ({ data }) => hear(new Uint8Array(data)));
  session.on('error', ({ error }) => {
    throw error;
  });
  await session.connect({ apiKey: 'test', url: address });
  return {
    speak: (frame) => session.sendAudio(frame.buffer),
    close: () => session.close(),
  };
}
