import type { Clock } from '@adorn/core';
import type { LiveEvent, LiveSignals } from '@adorn/core/backend';

/** Counts what the signals of a live line are made of. */
export class LiveSignalCounter {
  private beganAt: number | undefined;
  private heardAt: number | undefined;
  private closesAt: number | undefined;
  /** When what the model has said so far has been played. */
  private saidUntil = 0;
  private isUserSpeaking = false;
  private turns = 0;
  private interruptions = 0;
  private totalTokens: number | undefined;

  constructor(private readonly clock: Clock) {}

  /** Another connection is open. */
  connected(): void {
    const now = this.clock.now();
    this.beganAt ??= now;
    this.heardAt ??= now;
    this.closesAt = undefined;
  }

  /** The user begins or ends to speak. */
  noteActivity(activity: 'start' | 'end'): void {
    this.isUserSpeaking = activity === 'start';
    this.heardAt = this.clock.now();
  }

  note(event: LiveEvent): void {
    switch (event.kind) {
      case 'speech':
        this.noteActivity(event.activity);
        return;
      case 'text':
      case 'inputTranscript':
      case 'outputTranscript':
        this.heardAt = this.clock.now();
        return;
      case 'turnComplete':
        this.turns++;
        return;
      case 'goAway':
        this.closesAt = this.clock.now() + event.timeLeftMs / 1000;
        return;
      case 'usage':
        this.totalTokens = event.usage.totalTokenCount ?? this.totalTokens;
        return;
      default:
    }
  }

  /** A piece of the model's speech is passed on, to be played after the pieces before. */
  noteSpeech(milliseconds: number): void {
    this.saidUntil = Math.max(this.saidUntil, this.clock.now()) + milliseconds / 1000;
  }

  noteInterruption(): void {
    this.interruptions++;
    const now = this.clock.now();
    if (this.saidUntil > now) this.heardAt = this.saidUntil = now;
  }

  get signals(): Omit<LiveSignals, 'isConnected' | 'isResumable'> {
    const { isUserSpeaking, turns, interruptions, totalTokens, saidUntil } = this;
    const now = this.clock.now();
    const { beganAt = now, heardAt = now, closesAt } = this;
    const isModelSpeaking = saidUntil > now;
    const isSilent = !isUserSpeaking && !isModelSpeaking;
    return {
      isUserSpeaking,
      isModelSpeaking,
      turns,
      interruptions,
      silenceMs: isSilent ? (now - Math.max(heardAt, saidUntil)) * 1000 : 0,
      elapsedMs: (now - beganAt) * 1000,
      leftMs: closesAt === undefined ? undefined : Math.max(0, (closesAt - now) * 1000),
      totalTokens,
    };
  }
}
