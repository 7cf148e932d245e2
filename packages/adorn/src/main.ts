// What the main file of an application imports besides `adorn`: the model that the environment chooses, and failures.
export { chooseModel, type ModelChoice } from './main/choose-model.js';
export { printable } from './main/printable.js';
export { failureText, reportFailure, type ReportOptions } from './main/report-failure.js';
