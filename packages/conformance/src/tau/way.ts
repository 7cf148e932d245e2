import { DataFlowPlugin, secrets } from '@adorn/guards';
import { GuardrailsPlugin, type Plugin } from 'adorn';

/** How the tasks are replayed. */
export interface Way {
  readonly name: string;
  readonly streaming: 'none' | 'sse';
  /** Tasks at the same time. */
  readonly atOnce: number;
  /** Reads that follow one another are called in one turn of the model. */
  readonly readsTogether: boolean;
  /** A triage agent transfers to three specialists. */
  readonly hasSpecialists?: boolean;
  /** Plugins, none of which may ask or refuse anything. Default: none. */
  readonly plugins?: readonly Plugin[];
}

export const WAYS: readonly Way[] = [
  { name: 'unary, in order', streaming: 'none', atOnce: 1, readsTogether: false },
  { name: 'streamed, in order', streaming: 'sse', atOnce: 1, readsTogether: false },
  { name: 'unary, 8 at once', streaming: 'none', atOnce: 8, readsTogether: false },
  { name: 'unary, reads together', streaming: 'none', atOnce: 1, readsTogether: true },
  {
    name: 'unary, triage and three specialists',
    streaming: 'none',
    atOnce: 1,
    readsTogether: false,
    hasSpecialists: true,
  },
  {
    name: 'unary, in order, guarded',
    streaming: 'none',
    atOnce: 1,
    readsTogether: false,
    plugins: [
      new DataFlowPlugin(),
      new GuardrailsPlugin({
        inputGuardrails: [secrets()],
        outputGuardrails: [secrets()],
        toolGuardrails: [secrets()],
      }),
    ],
  },
];
