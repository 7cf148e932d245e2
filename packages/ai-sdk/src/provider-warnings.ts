import type { Logger } from '@adorn/core';

import { isJsonObject } from './is-json-object.js';

/** Bounds the memory of a provider that warns differently each time. */
const MOST_WARNINGS = 100;

/** Logs what a provider ignored in requests, each warning once. */
export class ProviderWarnings {
  private readonly logged = new Set<string>();

  constructor(private readonly model: string) {}

  /** @param warnings as a provider gives them; anything that is not a list is ignored */
  log(warnings: unknown, logger: Logger | undefined): void {
    if (logger === undefined || !Array.isArray(warnings)) return;
    for (const warning of warnings as readonly unknown[]) {
      const text = isJsonObject(warning) ? textOf(warning) : '';
      if (text === '' || this.logged.has(text) || this.logged.size >= MOST_WARNINGS) continue;
      this.logged.add(text);
      logger.warn("a model's provider ignored a part of the request", { model: this.model, warning: text });
    }
  }
}

/** A warning names a feature (v3, v4) or a setting or tool (v2), or has a message. */
function textOf({ feature, setting, tool, details, message }: Readonly<Record<string, unknown>>): string {
  const named = isJsonObject(tool) ? tool['name'] : undefined;
  const texts = [feature, setting, named, message, details];
  return texts
    .filter((one) => typeof one === 'string')
    .join(': ')
    .slice(0, 300);
}
