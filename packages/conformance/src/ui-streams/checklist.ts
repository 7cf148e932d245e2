import type { Check } from '../check.js';
import { findDifference } from '../find-difference.js';

/** Collects what was looked at in a conversation. */
export class Checklist {
  readonly checks: Check[] = [];

  equal(what: string, expected: unknown, actual: unknown): void {
    this.checks.push({ what, fault: findDifference(expected, actual) });
  }
}
