import { AdornError } from '@adorn/schema';
import type { LiveCapabilities } from './live-capabilities.js';
import type { LiveModel, LiveSetup } from './live.model.js';

/** A live model cannot do what a session or an agent asks of it. Thrown before the connection is opened. */
export class LiveNotSupportedError extends AdornError {
  readonly code = 'LIVE_NOT_SUPPORTED';

  /**
   * @param model the name of the model
   * @param faults what it cannot do, each as a phrase such as `no answers as text: it has audio`
   */
  constructor(
    /** The name of the live model. */
    readonly model: string,
    /** What the model cannot do, each as a phrase such as `no choice of a voice`. */
    readonly faults: readonly string[],
  ) {
    super(
      `The live model "${model}" cannot hold this conversation: ${faults.join('; ')}. ` +
        'Change these settings, or use another model. Nothing was sent.',
    );
  }
}

/**
 * Checks a setup against what a model can do.
 *
 * @throws {LiveNotSupportedError} with everything that the model cannot do
 */
export function checkLiveSetup(model: Pick<LiveModel, 'name' | 'capabilities'>, setup: LiveSetup): void {
  const { capabilities } = model;
  const faults = [...faultsOfSpeech(capabilities, setup), ...faultsOfTools(capabilities, setup)];
  if (faults.length > 0) throw new LiveNotSupportedError(model.name, faults);
}

function faultsOfSpeech(capabilities: LiveCapabilities, setup: LiveSetup): string[] {
  const { modalities, inputs, transcribes, voices } = capabilities;
  const { modality, voice, activity, transcribe, config } = setup;
  const faults: string[] = [];
  if (modality === 'audio' && config.responseJsonSchema !== undefined)
    faults.push('no spoken answers with an outputSchema: use modality: "text", or an extractor');
  if (!modalities.includes(modality))
    faults.push(`no answers as ${modality}: it has ${modalities.join(' and ')}`);
  if (voice !== undefined && !voices) faults.push('no choice of a voice');
  if (activity === 'manual' && !inputs.includes('activity'))
    faults.push('no signals of the user’s activity: it decides itself when the user speaks');
  if (transcribe.input && !transcribes.includes('input')) faults.push('no transcripts of what the user says');
  if (transcribe.output && modality === 'audio' && !transcribes.includes('output'))
    faults.push('no transcripts of what it says');
  return faults;
}

function faultsOfTools({ providerTools, resumes }: LiveCapabilities, { tools, resume }: LiveSetup): string[] {
  const kinds = tools.flatMap((tool) => Object.keys(tool)).filter((kind) => kind !== 'functionDeclarations');
  const unknown = kinds.filter((kind) => !providerTools.some((known) => known === kind));
  const faults = unknown.map((kind) => `no provider tool ${kind}`);
  if (resume !== undefined && !resumes) faults.push('no resumption of a connection');
  return faults;
}
