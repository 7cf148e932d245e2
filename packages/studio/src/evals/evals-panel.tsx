import { useEffect, useState } from 'preact/hooks';

import { app, sessionId } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { type Fault, faultOf } from '../server/connection.js';
import { type EvalCase, type EvalResult, EvalSets } from '../server/eval-sets.js';
import { EvalCaseView } from './eval-case.js';

/** Eval sets: conversations that are kept as cases, played again, and scored. */
export function EvalsPanel() {
  const sets = new EvalSets(app.value ?? '');
  const [names, setNames] = useState<readonly string[] | undefined>([]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const load = async () => {
    try {
      const found = await sets.list();
      setNames(found);
      setChosen((before) => before ?? found?.[0]);
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  useEffect(() => void load(), [app.value]);
  if (names === undefined)
    return (
      <p class="empty">
        This server keeps no evaluations. <code>adorn web</code> does; a server of your own with the option{' '}
        <code>evals</code>.
      </p>
    );
  const create = async (name: string) => {
    await sets.create(name);
    setChosen(name);
    await load();
  };
  return (
    <div class="evals">
      {fault && (
        <p class="call-error" role="alert">
          {fault.message}
        </p>
      )}
      {names.length > 0 && (
        <label class="eval-sets">
          Eval set
          <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {chosen !== undefined && <Cases key={`${app.value ?? ''}/${chosen}`} sets={sets} set={chosen} />}
      <NameForm label="New eval set" button="Create" onName={create} />
    </div>
  );
}

/** The cases of a set, with what became of them when they were played last. */
function Cases({ sets, set }: { readonly sets: EvalSets; readonly set: string }) {
  const [cases, setCases] = useState<readonly EvalCase[]>([]);
  const [results, setResults] = useState<readonly EvalResult[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await work();
      setCases(await sets.cases(set));
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => void attempt(() => Promise.resolve()), []);
  const id = sessionId.value;
  return (
    <section>
      {cases.length === 0 && (
        <p class="empty">
          No cases yet. Talk to the agent until the conversation is right, then keep it as a case: what was is
          what is expected.
        </p>
      )}
      <ul class="eval-cases">
        {cases.map((one) => (
          <EvalCaseView
            key={one.evalId}
            evalCase={one}
            result={results.find(({ evalId }) => evalId === one.evalId)}
            onRemove={() => void attempt(() => sets.remove(set, one.evalId))}
          />
        ))}
      </ul>
      {cases.length > 0 && (
        <button
          type="button"
          class="button button-main"
          disabled={isBusy}
          onClick={() => void attempt(async () => setResults(await sets.run(set)))}
        >
          <Icon name="play" /> {isBusy ? 'Running…' : 'Run all'}
        </button>
      )}
      {fault && (
        <p class="call-error" role="alert">
          {fault.message}
        </p>
      )}
      {id !== undefined && (
        <NameForm
          label="Keep this conversation as"
          button="Keep"
          onName={(name) => attempt(() => sets.addSession(set, name, id))}
        />
      )}
    </section>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly button: string;
  readonly onName: (name: string) => Promise<void>;
}

/** A field for a name, and a button. */
function NameForm({ label, button, onName }: NameFormProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const submit = async () => {
    setFault(undefined);
    try {
      await onName(name.trim());
      setName('');
    } catch (error) {
      setFault(faultOf(error));
    }
  };
  return (
    <form
      class="eval-name"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        {label}
        <input type="text" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={name.trim() === ''}>
        {button}
      </button>
      {fault && (
        <p class="call-error" role="alert">
          {fault.message}
        </p>
      )}
    </form>
  );
}
