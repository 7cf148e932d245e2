// Names that `adorn/main` exports now: a running application does not need this package.
import * as main from 'adorn/main';

/** @deprecated Import it from `adorn/main`. */
export const chooseModel = main.chooseModel;
/** @deprecated Import it from `adorn/main`. */
export type ModelChoice = main.ModelChoice;
/** @deprecated Import it from `adorn/main`. */
export const reportFailure = main.reportFailure;
/** @deprecated Import it from `adorn/main`. */
export type ReportOptions = main.ReportOptions;
