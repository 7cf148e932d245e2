import { GeminiModel, type Model } from 'adorn';
import { chooseModel } from 'adorn/main';

/** The default model of judges on Gemini. */
const JUDGE = 'gemini-2.5-flash';

/** The model that judges answers: by its name, or by the environment. No user talks to it, so that it may be offline in production. */
export function judgeOf(name: string | undefined): Model {
  const env = { ...process.env, NODE_ENV: undefined };
  return chooseModel(env, name).model ?? new GeminiModel({ model: JUDGE });
}
