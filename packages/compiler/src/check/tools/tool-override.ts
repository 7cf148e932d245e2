import type { AuthConfig } from '@adorn/core';
import type { ToolOptions } from '@adorn/core/backend';
import { overrideOptions } from '@adorn/core/compiler';

import { constantOf } from '../../source/constant.js';
import { followed } from '../../source/followed.js';
import { type Property, propertyOf } from '../../source/literals.js';
import { ts } from '../../typescript.js';
import type { ToolMark } from './tool-marks.js';

/** The options of `@tool` that hold a call back. */
export type Demand = 'confirm' | 'auth' | 'effect';

/** `@tool` on a method that overrides a tool: the options that counted in the base, and those that count now. */
export interface ToolOverride {
  readonly mark: ToolMark;
  /** The nearest method above that is marked. */
  readonly baseMark: ToolMark;
  readonly base: LaidOptions;
  readonly own: LaidOptions;
  /** The options as written in the override, and in the nearest class above that has them. */
  readonly ownText: DemandTexts;
  readonly baseText: DemandTexts;
  /** True if the override names a credential that is not known to be the base's. */
  readonly hasOtherAuth: boolean;
  /** True if a lower effect has no consequence, because there is no `confirm: false`. */
  readonly ignoresEffect: boolean;
}

/** Merges options over those of the base, as at run time, and tracks how often a person is asked before a call. */
export interface LaidOptions {
  readonly options: ToolOptions;
  readonly asks: Asks;
}

export enum Asks {
  Never,
  Sometimes,
  Always,
}

export type DemandTexts = ReadonlyMap<Demand, { readonly text: string; readonly mark: ToolMark }>;

/** @param marks of the member, nearest first */
export function toolOverride(
  member: ts.ClassElement,
  marks: readonly ToolMark[],
  checker: ts.TypeChecker,
): ToolOverride | undefined {
  const [mark, ...bases] = marks;
  const [baseMark] = bases;
  if (!mark || !baseMark || mark.member !== member) return undefined;
  const base = bases
    .map((one) => optionsOf(one, STRICTEST, checker))
    .reduceRight<LaidOptions>(laid, { options: {}, asks: Asks.Never });
  const written = optionsOf(mark, LOOSEST, checker);
  const own = laid(base, written);
  return {
    mark,
    baseMark,
    base,
    own,
    ownText: textsOf([mark], checker),
    baseText: textsOf(bases, checker),
    hasOtherAuth: isOther(firstOf([mark], 'auth', checker), firstOf(bases, 'auth', checker), checker),
    ignoresEffect: written.effect !== undefined && written.effect !== own.options.effect,
  };
}

function laid(base: LaidOptions, own: ToolOptions): LaidOptions {
  const options = overrideOptions(base.options, own);
  if (typeof options.confirm !== 'function') return { options, asks: asksOf(options) };
  if (own.confirm === undefined) return { options, asks: base.asks };
  const { parameters } = own;
  const demanded = parameters ? overrideOptions(base.options, { parameters }) : base.options;
  const basic = typeof demanded.confirm === 'function' ? base.asks : asksOf(demanded);
  return { options, asks: basic === Asks.Always ? Asks.Always : Asks.Sometimes };
}

function asksOf({ confirm, effect }: ToolOptions): Asks {
  return (confirm ?? effect === 'destructive') === false ? Asks.Never : Asks.Always;
}

const DEMANDS = ['confirm', 'auth', 'effect'] as const;

const SOME_AUTH: AuthConfig = { scheme: { type: 'http', scheme: 'bearer' }, key: '' };

/** The assumption for values known only at run time: every loosening must be found. */
type Unknowns = Pick<ToolOptions, Demand>;
const STRICTEST: Unknowns = { confirm: true, auth: SOME_AUTH, effect: 'destructive' };
const LOOSEST: Unknowns = { confirm: false, auth: undefined };

function optionsOf({ options }: ToolMark, unknowns: Unknowns, checker: ts.TypeChecker): ToolOptions {
  const [confirm, auth, effect, parameters] = [...DEMANDS, 'parameters'].map((key) =>
    propertyOf(options, key, checker),
  );
  return {
    ...(confirm !== undefined && { confirm: confirmOf(confirm, unknowns, checker) }),
    ...(auth !== undefined && { auth: authIn(auth, unknowns, checker) }),
    ...(effect !== undefined && { effect: effectOf(effect, unknowns, checker) }),
    ...(parameters !== undefined && { parameters: identityOf(parameters, checker) }),
  } as ToolOptions;
}

function confirmOf(property: Property, { confirm }: Unknowns, checker: ts.TypeChecker): unknown {
  if (ts.isMethodDeclaration(property)) return predicate;
  if (isUndefined(property, checker)) return undefined;
  const value = constantOf(property, checker)?.value;
  if (typeof value === 'boolean' || typeof value === 'string') return value;
  const type = checker.getTypeAtLocation(property);
  if (type.flags & ts.TypeFlags.StringLike) return true;
  return type.getCallSignatures().length > 0 ? predicate : confirm;
}

/** A placeholder for any predicate; never called. */
function predicate(): boolean {
  return true;
}

function authIn(property: Property, { auth }: Unknowns, checker: ts.TypeChecker): AuthConfig | undefined {
  if (isUndefined(property, checker)) return undefined;
  const type = checker.getTypeAtLocation(property);
  const isSure =
    !(type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) && checker.getNonNullableType(type) === type;
  return isSure ? SOME_AUTH : auth;
}

function effectOf(property: Property, { effect }: Unknowns, checker: ts.TypeChecker): unknown {
  if (ts.isMethodDeclaration(property) || isUndefined(property, checker)) return undefined;
  return constantOf(property, checker)?.value ?? effect;
}

/** One object for each place in the source, so that the same schema is known again. */
function identityOf(property: Property, checker: ts.TypeChecker): object {
  return ts.isMethodDeclaration(property) ? property : followed(property, checker);
}

function isUndefined(property: Property, checker: ts.TypeChecker): boolean {
  if (ts.isMethodDeclaration(property)) return false;
  const written = followed(property, checker);
  return ts.isVoidExpression(written) || (ts.isIdentifier(written) && written.text === 'undefined');
}

function textsOf(marks: readonly ToolMark[], checker: ts.TypeChecker): DemandTexts {
  const texts = new Map<Demand, { text: string; mark: ToolMark }>();
  for (const mark of marks.toReversed()) {
    for (const demand of DEMANDS) {
      const property = propertyOf(mark.options, demand, checker);
      if (!property) continue;
      texts.set(demand, { mark, text: demand === 'auth' ? authText(property, checker) : textOf(property) });
    }
  }
  return texts;
}

/** Only the key of a credential that is written out, as its other properties may be secrets. */
function authText(property: Property, checker: ts.TypeChecker): string {
  if (ts.isIdentifier(property) || ts.isPropertyAccessExpression(property)) return textOf(property);
  const key = ts.isMethodDeclaration(property) ? undefined : propertyOf(property, 'key', checker);
  return key ? `{ key: ${textOf(key)}, … }` : '…';
}

function textOf(property: Property): string {
  const flat = property.getText().replace(/\s+/g, ' ');
  return flat.length > 60 ? `${flat.slice(0, 59)}…` : flat;
}

function firstOf(marks: readonly ToolMark[], key: Demand, checker: ts.TypeChecker): Property | undefined {
  return marks.map(({ options }) => propertyOf(options, key, checker)).find((one) => one !== undefined);
}

function isOther(own: Property | undefined, base: Property | undefined, checker: ts.TypeChecker): boolean {
  if (!own || !base) return false;
  if (identityOf(own, checker) === identityOf(base, checker)) return false;
  const [one, other] = [own, base].map((property) =>
    ts.isMethodDeclaration(property) ? undefined : constantOf(property, checker),
  );
  return one === undefined || other === undefined || JSON.stringify(one) !== JSON.stringify(other);
}
