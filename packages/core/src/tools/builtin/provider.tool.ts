import type { Tool as WireTool } from '@google/genai';

import type { ProviderToolKind } from '../../models/model.js';
import { Tool } from '../tool.js';

/** The fields of a provider tool. */
export interface ProviderToolFields<Kind extends ProviderToolKind> {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  /** The options of the tool in a request. */
  readonly options: NonNullable<WireTool[Kind]>;
  /** The models that have it, for error messages: `a Gemini model, from Gemini 2 on`. */
  readonly needs: string;
  /** True if its results hold text that others wrote, such as web pages. Default: false. */
  readonly untrusted?: boolean;
}

/**
 * A tool that the model's provider runs while the model answers, such as a web search. It is an entry in the `tools` of
 * each request; the model does not call it as a function, and it never runs here.
 */
export class ProviderTool<Kind extends ProviderToolKind = ProviderToolKind> extends Tool {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  readonly needs: string;
  /** The tool in a request, shared by all of them. */
  readonly entry: Readonly<WireTool>;

  constructor({ name, description, kind, options, needs, untrusted = false }: ProviderToolFields<Kind>) {
    super({ untrusted });
    this.name = name;
    this.description = description;
    this.kind = kind;
    this.needs = needs;
    this.entry = Object.freeze({ [kind]: Object.freeze({ ...options }) });
  }

  declaration(): undefined {
    return undefined;
  }

  run(): undefined {
    return undefined;
  }

  override get origin(): string {
    return 'a built-in tool';
  }
}
