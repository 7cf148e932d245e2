import type { StoredFeedback } from '@adorn/core/backend';

/** Feedback in words, such as `feedback of mia: 0, wrong, "It has shipped."` */
export function feedbackText({ by, score, label, comment }: StoredFeedback): string {
  const said = [score === undefined ? 'taken back' : String(score), label];
  const words = comment === undefined ? undefined : JSON.stringify(comment);
  return `feedback of ${by.id}: ${[...said, words].filter((text) => text !== undefined).join(', ')}`;
}
