import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { AdornError } from '@adorn/core';
import { chooseModel, type ModelChoice } from 'adorn/main';

import type { Finding } from './finding.js';

const KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];

/** Which model the environment chooses. No key is printed, and none is tried. */
export function checkKeys(folder: string, env: NodeJS.ProcessEnv): Finding[] {
  return [chosenModel(folder, env), ...KEYS.flatMap((name) => oddKey(name, env))];
}

function chosenModel(folder: string, env: NodeJS.ProcessEnv): Finding {
  const isSet = KEYS.some((name) => (env[name] ?? '') !== '');
  const isVertex = /^(?:true|1)$/i.test(env['GOOGLE_GENAI_USE_VERTEXAI'] ?? '');
  const choice = choiceOf(env);
  if (AdornError.is(choice)) return { about: 'model', status: 'fault', text: choice.message };
  const { line, model } = choice;
  const text = line.replace(/^Model: /, '').replace(/\.$/, '');
  if (isVertex && (env['GOOGLE_CLOUD_PROJECT'] ?? '') === '')
    return {
      about: 'model',
      status: 'warning',
      text: 'GOOGLE_GENAI_USE_VERTEXAI is set without GOOGLE_CLOUD_PROJECT',
      cure: 'export GOOGLE_CLOUD_PROJECT=my-project GOOGLE_CLOUD_LOCATION=us-central1',
    };
  if (isSet || isVertex || model === undefined) return { about: 'model', status: 'fine', text };
  const hasFile = existsSync(join(folder, '.env'));
  return {
    about: 'model',
    status: 'note',
    text,
    cure: hasFile
      ? 'There is a .env, which nothing reads by itself: node --env-file .env node_modules/.bin/adorn run'
      : 'For a real model: export GEMINI_API_KEY=…',
  };
}

/** The choice, or the error with which an application refuses to start in production. */
function choiceOf(env: NodeJS.ProcessEnv): ModelChoice | AdornError {
  try {
    return chooseModel(env);
  } catch (error) {
    if (AdornError.is(error)) return error;
    throw error;
  }
}

/** A key that was copied with quotes or spaces. */
function oddKey(name: string, env: NodeJS.ProcessEnv): Finding[] {
  const key = env[name] ?? '';
  if (!/\s|^["']|["']$/.test(key)) return [];
  return [
    {
      about: name,
      status: 'fault',
      text: 'it has spaces, line breaks or quotes in or around it',
      cure: `Set ${name} again, only to the key itself.`,
    },
  ];
}
