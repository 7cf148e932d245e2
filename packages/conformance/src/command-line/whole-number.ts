import { UsageError } from './usage.error.js';

/** What a flag says as digits. Throws `UsageError` for all else. */
export function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${flag} takes a whole number, not "${text}".`);
}

/** What a flag says where nought means nothing. Throws `UsageError` for all else. */
export function positive(flag: string, text: string): number {
  if (isPositive(Number(text))) return Number(text);
  throw new UsageError(`--${flag} takes a whole number above 0, not "${text}".`);
}

/** The same of a list with commas. */
export function positives(flag: string, list: string): number[] {
  return list.split(',').map((text) => {
    if (isPositive(Number(text))) return Number(text);
    throw new UsageError(`--${flag} takes whole numbers above 0, not "${text}".`);
  });
}

function isPositive(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
