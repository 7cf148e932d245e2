import { createRequire } from 'node:module';
import path from 'node:path';

import { AdornError, type Model } from '@adorn/core';
import { GeminiModel } from '@adorn/gemini';
import { OfflineModel } from '@adorn/offline';

import { NamedModelProvider } from '../named-model.provider.js';

/** Which model a program talks to. */
export interface ModelChoice {
  /** Given to `createRunner`; undefined leaves each agent its own. */
  readonly model: Model | undefined;
  /** The line for the user that names the model. */
  readonly line: string;
}

/** Delay between the pieces of an offline answer, so that streaming is visible. */
const PACE = 12;

/**
 * The model that `ADORN_MODEL` names, else the one for the key that the environment holds: the agent's own for Gemini,
 * else a server at `OPENAI_BASE_URL`, else OpenAI, else Anthropic; without any of them the offline model.
 * `OPENAI_MODEL` and `ANTHROPIC_MODEL` name another model of these providers.
 *
 * @param name a model to take instead, such as `gemini-2.5-pro` or `openai/gpt-5-mini`; `offline` and `own` are the
 * offline model and the agent's own. Default: `ADORN_MODEL`
 * @throws {AdornError} (`MODEL_UNAVAILABLE`) if `NODE_ENV` is `production` and no model is named or has its key:
 * users would talk to the offline model, and nobody would have said so
 */
export function chooseModel(
  env: NodeJS.ProcessEnv = process.env,
  name: string | undefined = env['ADORN_MODEL'],
): ModelChoice {
  if (name === 'offline') return offline('it was asked for');
  if (name === 'own') return { model: undefined, line: "Model: the agent's own." };
  if (isSet(name)) return { model: modelOf(name), line: `Model: ${name}${placeOf(env, name)}.` };
  const reason = reasonForGemini(env);
  if (reason !== undefined)
    return {
      model: undefined,
      line: `Model: the agent's own Gemini model (${reason})${geminiPlaceOf(env)}.`,
    };
  return otherProvider(env) ?? inDevelopment(env, `no ${KEYS} is set`);
}

/** The providers other than Gemini, in order of preference. */
const PROVIDERS = [
  { variable: 'OPENAI_BASE_URL', provider: 'openai-compatible', choice: 'OPENAI_MODEL', model: 'default' },
  { variable: 'OPENAI_API_KEY', provider: 'openai', choice: 'OPENAI_MODEL', model: 'gpt-5-mini' },
  {
    variable: 'ANTHROPIC_API_KEY',
    provider: 'anthropic',
    choice: 'ANTHROPIC_MODEL',
    model: 'claude-sonnet-4-5',
  },
] as const;

const KEYS = 'GEMINI_API_KEY, OPENAI_BASE_URL, OPENAI_API_KEY or ANTHROPIC_API_KEY';

function otherProvider(env: NodeJS.ProcessEnv): ModelChoice | undefined {
  const found = PROVIDERS.find(({ variable }) => isSet(env[variable]));
  if (!found) return undefined;
  const { provider, variable, choice } = found;
  const packages = [`@ai-sdk/${provider}`, '@adorn/ai-sdk'];
  if (!packages.every(isInstalled))
    return inDevelopment(env, `${variable} is set; to use it, run: npm install ${packages.join(' ')}`);
  const model = env[choice];
  const name = `${provider}/${isSet(model) ? model : found.model}`;
  return { model: modelOf(name), line: `Model: ${name} (${variable} is set)${placeOf(env, name)}.` };
}

/** Whether the program has a package. */
function isInstalled(packageName: string): boolean {
  try {
    createRequire(path.join(process.cwd(), 'package.json')).resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

function modelOf(name: string): Model {
  return new NamedModelProvider().modelOf(name) ?? new GeminiModel({ model: name });
}

/** The offline model because there is no other: never in production. */
function inDevelopment(env: NodeJS.ProcessEnv, reason: string): ModelChoice {
  if (env['NODE_ENV'] === 'production') throw new ModelOfProductionMissingError(reason);
  return offline(reason);
}

/** An application runs in production, and its environment chooses no model. */
class ModelOfProductionMissingError extends AdornError {
  readonly code = 'MODEL_UNAVAILABLE';

  constructor(reason: string) {
    super(
      `There is no model: NODE_ENV is production, and ${reason}. Set GEMINI_API_KEY or another provider's key, or ` +
        "ADORN_MODEL: the name of a model, own for the agents' own models, or offline if users are to talk to the offline model.",
    );
  }
}

function offline(reason: string): ModelChoice {
  return {
    model: new OfflineModel({ pace: process.stdout.isTTY ? PACE : 0 }),
    line: `Model: offline (${reason}). It matches words to tools and does not reason.`,
  };
}

function reasonForGemini(env: NodeJS.ProcessEnv): string | undefined {
  if (isSet(env['GEMINI_API_KEY'])) return 'GEMINI_API_KEY is set';
  if (isSet(env['GOOGLE_API_KEY'])) return 'GOOGLE_API_KEY is set';
  const isVertex = /^(?:true|1)$/i.test(env['GOOGLE_GENAI_USE_VERTEXAI'] ?? '');
  return isVertex && isSet(env['GOOGLE_CLOUD_PROJECT']) ? 'on Vertex AI' : undefined;
}

/** The host of the model's endpoint, if the environment sets one. Not the whole URL, which may contain a secret. */
function placeOf(env: NodeJS.ProcessEnv, name: string): string {
  if (name.startsWith('openai-compatible/')) return hostIn(env['OPENAI_BASE_URL']);
  return name.includes('/') ? '' : geminiPlaceOf(env);
}

function geminiPlaceOf(env: NodeJS.ProcessEnv): string {
  return hostIn(env['GOOGLE_GEMINI_BASE_URL']);
}

function hostIn(address = ''): string {
  return URL.canParse(address) ? ` at ${new URL(address).host}` : '';
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
