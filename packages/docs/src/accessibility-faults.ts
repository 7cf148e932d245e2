import type { LighthouseAudit, LighthouseResult } from './lighthouse.js';

/** The elements of one fault that a sentence names. */
const NAMED = 3;

/** From 0 to 100. */
export function accessibilityScore({ categories }: LighthouseResult): number {
  return Math.round((categories['accessibility']?.score ?? 0) * 100);
}

/** One sentence for each rule that is broken and counts, with the first elements that break it. */
export function accessibilityFaults({ categories, audits }: LighthouseResult): string[] {
  return (categories['accessibility']?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = audits[id];
    const isBroken = weight > 0 && audit !== undefined && audit.score !== null && audit.score < 1;
    return isBroken ? [faultOf(id, audit)] : [];
  });
}

function faultOf(id: string, { title, details }: LighthouseAudit): string {
  const nodes = (details?.items ?? []).flatMap(({ node }) => node ?? []);
  const [why = title] = nodes.flatMap(({ explanation }) => explanation ?? []);
  const elements = nodes.slice(0, NAMED).map(({ selector = 'an element' }) => selector);
  const others = nodes.length > NAMED ? ` and ${String(nodes.length - NAMED)} more` : '';
  return `${id}: ${why.replaceAll(/\s+/g, ' ')} (${elements.join(', ')}${others})`;
}
