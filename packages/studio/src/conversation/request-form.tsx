import type { PendingRequestData } from '@adorn/core/backend';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

import { faultOf, initialValue, type JsonSchema, schemaOfValue, wordsOf } from '../forms/schema.js';
import { SchemaForm } from '../forms/schema-form.js';
import { JsonView } from '../inspector/json-view.js';
import { durationText } from '../page/words.js';
import type { AgentTool } from '../server/app-graph.js';
import { openConsent } from '../server/consent.js';
import { answer, type Decision } from '../server/open-session.js';
import { Arguments } from './call-parts.js';
import { isForOthers, mayBeRemembered, othersText } from './who-answers.js';

interface RequestProps {
  readonly request: PendingRequestData;
  readonly tool: AgentTool | undefined;
  /** The agent that asks. */
  readonly by: string;
  /** True if whoever reads it may answer it. Default: the user of the session reads it. */
  readonly isInInbox?: boolean;
  /** True if who reads it has approved it, and somebody else has to, too. */
  readonly hasApproved?: boolean;
}

/** What an answer is given to: by default the session on the page. */
export const Answering = createContext<(request: PendingRequestData, decision: Decision) => void>(
  (request, decision) => void answer(request, decision),
);

/** The form that answers a request: an approval, a credential, an input, or the result of a long-running call. */
export function RequestForm(props: RequestProps) {
  if (props.isInInbox !== true && isForOthers(props.request)) return <ForOthers {...props} />;
  switch (props.request.kind) {
    case 'confirmation':
      return <Confirmation {...props} />;
    case 'credential':
      return <Credential {...props} />;
    case 'input':
      return <Input {...props} />;
    case 'result':
      return <LateResult {...props} />;
  }
}

function ForOthers({ request, by }: RequestProps) {
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={() => undefined}
      question={request.hint ?? `Run ${request.tool}?`}
    >
      <Arguments args={request.args} />
      <p class="request-waits">{othersText(request)} This page goes on when it is answered.</p>
    </RequestBody>
  );
}

function Confirmation({ request, tool, by, hasApproved = false }: RequestProps) {
  const decide = useContext(Answering);
  const [args, setArgs] = useState<unknown>(request.args);
  const [isEditing, setEditing] = useState(false);
  const [isRejecting, setRejecting] = useState(false);
  const [remembers, setRemembers] = useState(false);
  const [reason, setReason] = useState('');
  const schema = tool?.parameters ?? schemaOfValue(request.args);
  const isChanged = JSON.stringify(args) !== JSON.stringify(request.args);
  const fault = isEditing ? faultOf(schema, args, 'The arguments') : undefined;
  const approve = () =>
    decide(request, {
      kind: 'approve',
      args: isChanged ? (args as object) : undefined,
      remember: remembers ? 'session' : undefined,
    });
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={approve}
      question={request.hint ?? `Run ${request.tool}?`}
    >
      {isEditing ? (
        <SchemaForm schema={schema} value={args} onChange={setArgs} />
      ) : (
        <Arguments args={request.args} />
      )}
      {request.payload !== undefined && <JsonView value={request.payload} label="Details" />}
      {hasApproved && <p class="request-waits">You have approved it. It waits for somebody else.</p>}
      <Fault text={fault} />
      {isRejecting && (
        <div class="field">
          <label for={`reason-${request.id}`}>
            Reason <span class="field-optional">the agent reads it</span>
          </label>
          <input
            id={`reason-${request.id}`}
            value={reason}
            autoComplete="off"
            ref={focusOnce}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              decide(request, { kind: 'reject', reason });
            }}
          />
        </div>
      )}
      <div class="request-actions">
        {isRejecting ? (
          <>
            <button
              type="button"
              class="button button-refuse"
              onClick={() => decide(request, { kind: 'reject', reason: reason === '' ? undefined : reason })}
            >
              Reject
            </button>
            <button type="button" class="button" onClick={() => setRejecting(false)}>
              Back
            </button>
          </>
        ) : (
          <>
            {!hasApproved && (
              <button
                type="submit"
                class={`button ${tool?.effect === 'destructive' ? 'button-danger' : 'button-main'}`}
                data-action="approve"
                disabled={fault !== undefined}
              >
                {tool?.effect === 'destructive' ? wordsOf(request.tool) : 'Approve'}
                {isChanged && ' with changes'}
              </button>
            )}
            <button type="button" class="button" data-action="reject" onClick={() => setRejecting(true)}>
              Reject…
            </button>
            {!isEditing &&
              !hasApproved &&
              request.askedBy === undefined &&
              Object.keys(request.args).length > 0 && (
                <button type="button" class="button button-quiet" onClick={() => setEditing(true)}>
                  Change arguments
                </button>
              )}
            {mayBeRemembered(request) && (
              <label class="remember">
                <input
                  type="checkbox"
                  checked={remembers}
                  onChange={({ currentTarget }) => setRemembers(currentTarget.checked)}
                />
                and in this session from now on
              </label>
            )}
          </>
        )}
      </div>
    </RequestBody>
  );
}

function Input({ request, by }: RequestProps) {
  const decide = useContext(Answering);
  const schema = (request.schema ?? { type: 'string' }) as JsonSchema;
  const [value, setValue] = useState<unknown>(initialValue(schema));
  const fault = faultOf(schema, value, 'The answer');
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={() => decide(request, { kind: 'supply', value })}
      question={request.hint ?? 'The agent needs an input.'}
    >
      <SchemaForm schema={schema} value={value} onChange={setValue} label="Answer" />
      <Fault text={value === undefined ? undefined : fault} />
      <div class="request-actions">
        <button type="submit" class="button button-main" data-action="approve" disabled={fault !== undefined}>
          Send
        </button>
        <button
          type="button"
          class="button"
          data-action="reject"
          onClick={() => decide(request, { kind: 'reject' })}
        >
          Refuse
        </button>
      </div>
    </RequestBody>
  );
}

function LateResult({ request, by }: RequestProps) {
  const decide = useContext(Answering);
  const [value, setValue] = useState<unknown>(undefined);
  const [goesOn, setGoesOn] = useState(false);
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={() => decide(request, { kind: 'supply', value, willContinue: goesOn ? true : undefined })}
      question={request.hint ?? `${request.tool} runs elsewhere. Supply its result when it is there.`}
    >
      <Arguments args={request.args} />
      <SchemaForm schema={request.schema ?? {}} value={value} onChange={setValue} label="Result" />
      <div class="request-actions">
        <button type="submit" class="button button-main" data-action="approve" disabled={value === undefined}>
          Supply result
        </button>
        <label class="remember">
          <input
            type="checkbox"
            checked={goesOn}
            onChange={({ currentTarget }) => setGoesOn(currentTarget.checked)}
          />
          interim, more will come
        </label>
      </div>
    </RequestBody>
  );
}

function Credential({ request, by }: RequestProps) {
  const consent = request.authConfig?.exchangedAuthCredential?.oauth2;
  const address = consent?.authUri ?? consent?.verificationUri;
  if (address === undefined || !/^https?:/.test(address)) return <Secret request={request} by={by} />;
  return <Consent request={request} by={by} address={address} userCode={consent?.userCode} />;
}

interface ConsentProps {
  readonly request: PendingRequestData;
  readonly by: string;
  readonly address: string;
  /** The code that the person enters on the page of another device. */
  readonly userCode: string | undefined;
}

/** A consent is given in a window, whose address at the end is the answer. */
function Consent({ request, by, address, userCode }: ConsentProps) {
  const decide = useContext(Answering);
  const [returned, setReturned] = useState('');
  const stopWaiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => stopWaiting.current?.(), []);
  const supply = (authResponseUri: string) => decide(request, { kind: 'supply', value: { authResponseUri } });
  const open = () => {
    stopWaiting.current?.();
    stopWaiting.current = openConsent(address, supply);
  };
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={() => supply(returned)}
      question={request.hint ?? `${request.tool} needs your consent.`}
    >
      <div class="request-actions">
        <button type="button" class="button button-main" data-action="approve" onClick={open}>
          Open the consent page
        </button>
        <span class="field-hint">{new URL(address).host}</span>
        {userCode !== undefined && (
          <span>
            and enter <code>{userCode}</code>
          </span>
        )}
      </div>
      <details class="consent-by-hand">
        <summary>The window ended at another address</summary>
        <div class="field">
          <label for={`secret-${request.id}`}>The address that it returned to</label>
          <SecretInput id={`secret-${request.id}`} isHidden={false} value={returned} onChange={setReturned} />
        </div>
        <button type="submit" class="button" disabled={returned === ''}>
          Supply
        </button>
      </details>
    </RequestBody>
  );
}

function Secret({ request, by }: Pick<RequestProps, 'request' | 'by'>) {
  const decide = useContext(Answering);
  const [secret, setSecret] = useState('');
  const scheme = request.authConfig?.authScheme as { type?: string; name?: string } | undefined;
  return (
    <RequestBody
      request={request}
      by={by}
      onSubmit={() => decide(request, { kind: 'supply', value: secret })}
      question={request.hint ?? `${request.tool} needs a credential.`}
    >
      <div class="field">
        <label for={`secret-${request.id}`}>{scheme?.name ?? scheme?.type ?? 'Credential'}</label>
        <SecretInput id={`secret-${request.id}`} isHidden value={secret} onChange={setSecret} />
        <p class="field-hint">Kept by the server, and never shown again.</p>
      </div>
      <div class="request-actions">
        <button type="submit" class="button button-main" data-action="approve" disabled={secret === ''}>
          Supply
        </button>
      </div>
    </RequestBody>
  );
}

interface SecretProps {
  readonly id: string;
  readonly isHidden: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function SecretInput({ id, isHidden, value, onChange }: SecretProps) {
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onChange(currentTarget.value);
  if (isHidden)
    return <input id={id} type="password" autoComplete="off" value={value} required onInput={onInput} />;
  return <input id={id} type="url" autoComplete="off" value={value} required onInput={onInput} />;
}

function RequestBody({
  request,
  by,
  question,
  onSubmit,
  children,
}: {
  readonly request: PendingRequestData;
  readonly by: string;
  readonly question: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class="request"
      data-request={request.id}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <p class="request-question">{question}</p>
      <p class="request-facts">
        asked by {by}
        {request.expiresAt !== undefined &&
          `, expires in ${durationText(Math.max(0, request.expiresAt - Date.now() / 1000))}`}
      </p>
      {request.askedAgain !== undefined && (
        <p class="request-facts">Asked again: {request.askedAgain.message}</p>
      )}
      {request.mayHaveTakenEffect === true && (
        <p class="request-warning">
          {hasEnded(request)
            ? 'The tool has run. The question is about what it returned.'
            : 'An earlier run of this call was interrupted. It may have taken effect.'}
        </p>
      )}
      {children}
    </form>
  );
}

/** True if the tool has ended, and a callback after it asks. */
function hasEnded({ askedBy }: PendingRequestData): boolean {
  return askedBy === 'afterTool' || askedBy === 'onToolError';
}

function Fault({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <p class="call-error">{text}</p>;
}

function focusOnce(element: HTMLInputElement | null): void {
  if (element !== null && element.dataset['focused'] === undefined) {
    element.dataset['focused'] = 'true';
    element.focus();
  }
}
