import { wordsOf } from '../forms/schema.js';
import { app } from '../page/address.js';
import { graph } from '../server/app-graph.js';
import { fault, send } from '../server/open-session.js';
import { apps } from '../server/session-list.js';

/** Questions that are offered at most. */
const MOST = 3;

/** The empty page of a new session: who answers, and what one may ask. */
export function Start() {
  const known = apps.value.find(({ name }) => name === app.value);
  if (!known) return <div class="start" />;
  const questions = questionsFor();
  return (
    <div class="start">
      <h1>{wordsOf(known.agent)}</h1>
      <p class="start-description">{known.description || 'Write a message to begin.'}</p>
      {questions.length > 0 && (
        <>
          <h2>Try one of its tools</h2>
          <ul class="questions">
            {questions.map(({ text, tool }) => (
              <li key={tool}>
                <button type="button" class="question" onClick={() => void send(text)}>
                  {text} <code>{tool}</code>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {fault.value !== undefined && (
        <div class="failure" role="alert">
          <strong>{fault.value.code}</strong>
          <p>{fault.value.message}</p>
        </div>
      )}
    </div>
  );
}

/** The first sentences of what the tools say of themselves, those that only read first. */
function questionsFor(): { readonly text: string; readonly tool: string }[] {
  const tools = (graph.value?.agents ?? []).flatMap(({ tools }) => tools);
  const described = tools.filter(({ description }) => description !== '');
  const rank = ({ effect }: { effect?: string }) =>
    effect === 'read' ? 0 : effect === 'destructive' ? 2 : 1;
  return [...described]
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MOST)
    .map(({ name, description }) => ({ text: firstSentence(description), tool: name }));
}

function firstSentence(text: string): string {
  return /^[^.!?\n]*/.exec(text.trim())?.[0] ?? text;
}
