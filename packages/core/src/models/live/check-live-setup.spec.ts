import type { LiveCapabilities } from './live-capabilities.js';
import type { LiveSetup } from './live.model.js';
import { checkLiveSetup } from './check-live-setup.js';

const MODEL = {
  name: 'plain-voice',
  capabilities: {
    modalities: ['audio'],
    inputs: ['text', 'audio'],
    inputRate: 16_000,
    outputRate: 24_000,
    transcribes: [],
    resumes: false,
    updates: false,
    asyncCalls: false,
    interrupts: false,
    voices: false,
    providerTools: ['googleSearch'],
  } satisfies LiveCapabilities,
};

const SETUP: LiveSetup = {
  instruction: '',
  tools: [{ functionDeclarations: [{ name: 'add' }] }, { googleSearch: {} }],
  backgroundTools: [],
  history: [],
  modality: 'audio',
  transcribe: { input: false, output: false },
  activity: 'automatic',
  config: {},
};

describe('checkLiveSetup', () => {
  it('accepts what the model can do', () => {
    expect(() => {
      checkLiveSetup(MODEL, SETUP);
    }).not.toThrow();
  });

  it('names everything that the model cannot do, so that nothing configured is without effect', () => {
    const setup: LiveSetup = {
      ...SETUP,
      tools: [{ codeExecution: {} }],
      modality: 'text',
      voice: 'Kore',
      transcribe: { input: true, output: true },
      activity: 'manual',
      resume: 'h1',
    };

    expect(() => {
      checkLiveSetup(MODEL, setup);
    }).toThrow(
      'The live model "plain-voice" cannot hold this conversation: no answers as text: it has audio; no choice of a ' +
        'voice; no signals of the user’s activity: it decides itself when the user speaks; no transcripts of what the ' +
        'user says; no provider tool codeExecution; no resumption of a connection. Change these settings, or use ' +
        'another model. Nothing was sent.',
    );
  });
});
