import { isRequestName } from '../events/pending-request.js';

/** The names Gemini takes; other providers take these as well. */
const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;

/** The default tool name of a method: `getWeather` becomes `get_weather`. */
export function toolNameOf(method: string): string {
  return snakeCase(method);
}

/** Whether a model could call a tool by this name. */
export function isToolName(name: string): boolean {
  return LEGAL_NAME.test(name) && !isRequestName(name);
}

/** `getWeather` is `get_weather`, `Support` is `support`, `HTTPError` is `http_error`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
