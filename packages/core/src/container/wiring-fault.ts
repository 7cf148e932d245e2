import { InjectionUnclearError } from './injection-unclear.error.js';
import { ServiceAmbiguousError } from './service-ambiguous.error.js';
import { ServiceCircleError } from './service-circle.error.js';
import { ServiceFailedError } from './service-failed.error.js';
import { ServiceNotBoundError } from './service-not-bound.error.js';

/** The brands of inversify's errors, the same in every installed copy. */
const BRANDS = ['core/InversifyCoreError', 'container/InversifyContainerError'].map((name) =>
  Symbol.for(`@inversifyjs/${name}`),
);

/** Inversify's message for a service with no binding, or with too many, and for whom it was resolved. */
const UNRESOLVED =
  /(No|Ambiguous) bindings found for service: "([^"]+)"(?:[\s\S]*?Trying to resolve bindings for "([^"]+)")?/;

/** How it says that it cannot tell what a member wants. */
const UNCLEAR =
  /type "([^"]+)" at (?:constructor (?:indexes "|argument with index )(\d+)|property "([^"]+)")/;

/** Translates an error of inversify into an `AdornError`; any other error is returned as it is. */
export function wiringFault(error: unknown, asker: string): unknown {
  if (!(error instanceof Error) || !BRANDS.some((brand) => brand in error)) return error;
  const [, type, index, property] = UNCLEAR.exec(error.message) ?? [];
  if (type !== undefined) {
    const member = property ?? `constructor parameter ${String(Number(index) + 1)}`;
    return new InjectionUnclearError(type, member, { cause: error });
  }
  const [, amount, service, within = asker] = UNRESOLVED.exec(error.message) ?? [];
  if (service === undefined) {
    return /circular/i.test(error.message)
      ? new ServiceCircleError(error)
      : new ServiceFailedError(asker, error);
  }
  const parent = within.replace(/ \(Root service\)$/, '');
  const className = parent === service ? asker : parent;
  return amount === 'No'
    ? new ServiceNotBoundError(className, 'a dependency', service, { cause: error })
    : new ServiceAmbiguousError(className, service, { cause: error });
}
