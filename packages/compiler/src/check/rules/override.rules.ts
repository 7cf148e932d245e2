import { printedPlace } from '../../source/place.js';
import type { FoundTool } from '../tools/found-tool.js';
import type { ToolMark } from '../tools/tool-marks.js';
import {
  Asks,
  type Demand,
  type DemandTexts,
  type LaidOptions,
  type ToolOverride,
} from '../tools/tool-override.js';
import type { Finding, Rule } from './rule.js';

export const looserOverride: Rule = {
  name: 'looser-override',
  severity: 'warning',
  about: 'an override that demands less before a call than the tool it overrides',
  ofTool: (tool) =>
    findings(tool, loosenings, 'Drop the option to keep that of the base, or silence this with a reason.'),
};

export const stricterOverride: Rule = {
  name: 'stricter-override',
  severity: 'note',
  about: 'an override that demands more before a call than the tool it overrides',
  ofTool: (tool) => findings(tool, tightenings, ''),
};

/** A change of the demands before a call, and the options that decide it. */
interface Change {
  readonly isMade: boolean;
  /** Follows the name of the method. */
  readonly text: string;
  readonly demands: readonly Demand[];
  readonly cure?: string;
}

const CONFIRM: readonly Demand[] = ['confirm', 'effect'];
const EFFECT: readonly Demand[] = ['effect', 'confirm'];
const AUTH: readonly Demand[] = ['auth'];

function loosenings({ base, own, hasOtherAuth, ignoresEffect }: ToolOverride): Change[] {
  const [before, after] = [base.options, own.options];
  return [
    { isMade: own.asks < base.asks, text: 'no longer asks before a call', demands: CONFIRM },
    {
      isMade: before.auth !== undefined && after.auth === undefined,
      text: 'no longer needs the credential',
      demands: AUTH,
    },
    {
      isMade: before.auth !== undefined && after.auth !== undefined && hasOtherAuth,
      text: 'needs another credential',
      demands: AUTH,
    },
    { isMade: rankOf(own) < rankOf(base), text: 'lowers the effect', demands: EFFECT },
    {
      isMade: ignoresEffect,
      text: `keeps the effect "${before.effect ?? ''}"`,
      demands: EFFECT,
      cure: 'Add `confirm: false` to lower the effect, or drop the option.',
    },
  ];
}

function tightenings({ base, own }: ToolOverride): Change[] {
  const [before, after] = [base.options, own.options];
  const isSometimes = base.asks === Asks.Sometimes && own.asks === Asks.Sometimes;
  return [
    {
      isMade: own.asks > base.asks,
      text: own.asks === Asks.Always ? 'asks before every call' : 'asks before some calls',
      demands: CONFIRM,
    },
    {
      isMade: isSometimes && after.confirm !== before.confirm,
      text: 'asks before a call if either predicate does',
      demands: CONFIRM,
    },
    {
      isMade: before.auth === undefined && after.auth !== undefined,
      text: 'needs a credential',
      demands: AUTH,
    },
    { isMade: rankOf(own) > rankOf(base), text: 'raises the effect', demands: EFFECT },
  ];
}

const EFFECTS: readonly unknown[] = [undefined, 'read', 'write', 'destructive'];

function rankOf({ options }: LaidOptions): number {
  return EFFECTS.indexOf(options.effect);
}

function findings(
  { origin, override }: FoundTool,
  changesOf: (override: ToolOverride) => readonly Change[],
  usualCure: string,
): Finding[] {
  if (!override) return [];
  return changesOf(override)
    .filter(({ isMade }) => isMade)
    .map(({ text, demands, cure = usualCure }) => ({
      node: override.mark.decorator,
      message: `${origin} ${text}: it says ${ownWords(override, demands)}, and ${baseWords(override, demands)}.`,
      cure,
    }));
}

/** `confirm: false and effect: 'read'`. */
function ownWords({ ownText }: ToolOverride, demands: readonly Demand[]): string {
  const texts = writtenTexts(ownText, demands);
  return texts.length > 0 ? texts.join(' and ') : `no ${demands[0] ?? ''}`;
}

/** `Orders.wipe (orders.ts:4) says effect: 'destructive'`, for each class that says one of the options. */
function baseWords({ baseText, baseMark }: ToolOverride, demands: readonly Demand[]): string {
  const marks = new Set(demands.flatMap((demand) => baseText.get(demand)?.mark ?? []));
  if (marks.size === 0) return `${placed(baseMark)} says no ${demands.join(' or ')}`;
  const said = [...marks].map((mark) => {
    const own = demands.filter((demand) => baseText.get(demand)?.mark === mark);
    return `${placed(mark)} says ${writtenTexts(baseText, own).join(' and ')}`;
  });
  return said.join(' and ');
}

function writtenTexts(texts: DemandTexts, demands: readonly Demand[]): string[] {
  return demands.flatMap((demand) => {
    const written = texts.get(demand);
    return written ? [`${demand}: ${written.text}`] : [];
  });
}

function placed({ origin, member }: ToolMark): string {
  return `${origin} (${printedPlace(member)})`;
}
