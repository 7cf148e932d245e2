import workletUrl from './capture.worklet.js?url&no-inline';

/** A microphone that is open. */
export interface Microphone {
  /** The type of the speech, with its rate. */
  readonly mimeType: string;
  close(): void;
}

/** Opens the microphone. @param onPiece gets 100 ms of PCM16, mono, and its level from 0 to 1 */
export async function openMicrophone(
  onPiece: (speech: ArrayBuffer, level: number) => void,
): Promise<Microphone> {
  const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  // The rate is the browser's own: Firefox connects no microphone to a context of another. The server converts.
  const context = new AudioContext();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    const capture = new AudioWorkletNode(context, 'capture', { numberOfOutputs: 0 });
    capture.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onPiece(data, levelOf(data));
    context.createMediaStreamSource(stream).connect(capture);
  } catch (error) {
    close();
    throw error;
  }
  return { mimeType: `audio/pcm;rate=${String(context.sampleRate)}`, close };
}

/** The loudness of speech; 1 at 0 dB, 0 at -60 dB and below. */
function levelOf(speech: ArrayBuffer): number {
  const samples = new Int16Array(speech);
  const power = samples.reduce((sum, sample) => sum + (sample / 0x8000) ** 2, 0) / samples.length;
  return Math.max(0, Math.min(1, 1 + Math.log10(power + 1e-12) / 6));
}
