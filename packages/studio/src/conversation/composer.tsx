import { useEffect, useRef, useState } from 'preact/hooks';

import { LiveButton } from '../live/live-bar.js';
import { sessionId } from '../page/address.js';
import { Icon, IconButton } from '../page/icon.js';
import { activeRun, type Outgoing, send, steer, stop } from '../server/open-session.js';

interface Attachment {
  readonly name: string;
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** When a message is read that is sent while a run goes on. */
const TIMES = { now: 'Now', next: 'After the run', instead: 'Instead of the run' } as const;

/** Where a message is written, also while a run goes on. Enter sends it, Shift+Enter begins a line. */
export function Composer() {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [when, setWhen] = useState<keyof typeof TIMES>('now');
  const area = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const isRunning = activeRun.value !== undefined;
  const isEmpty = text.trim() === '' && files.length === 0;

  useEffect(() => area.current?.focus({ preventScroll: true }), [sessionId.value]);
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${String(Math.min(element.scrollHeight, 220))}px`;
  }, [text]);

  const submit = () => {
    if (isEmpty) return;
    const message = messageOf(text.trim(), files);
    void (isRunning ? steer(message, when) : send(message));
    setWhen('now');
    setText('');
    setFiles([]);
  };
  const attach = async (chosen: Iterable<File>) =>
    setFiles([...files, ...(await Promise.all([...chosen].map(readFile)))]);

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void attach(event.dataTransfer?.files ?? []);
      }}
    >
      {files.length > 0 && (
        <ul class="attachments" aria-label="Attached files">
          {files.map(({ name }, index) => (
            <li key={index}>
              <Icon name="file" /> {name}
              <IconButton
                icon="close"
                label={`Remove ${name}`}
                onClick={() => setFiles(files.filter((_, place) => place !== index))}
              />
            </li>
          ))}
        </ul>
      )}
      <div class="composer-row">
        <IconButton icon="clip" label="Attach files" onClick={() => chooser.current?.click()} />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => void attach(currentTarget.files ?? [])}
        />
        <textarea
          ref={area}
          rows={1}
          aria-label="Message"
          placeholder="Write a message"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData?.files ?? [];
            if (pasted.length > 0) void attach(pasted);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <LiveButton />
        {isRunning && !isEmpty && (
          <select
            aria-label="When the message is read"
            value={when}
            onChange={({ currentTarget }) => setWhen(currentTarget.value as keyof typeof TIMES)}
          >
            {Object.entries(TIMES).map(([time, name]) => (
              <option key={time} value={time}>
                {name}
              </option>
            ))}
          </select>
        )}
        {isRunning && isEmpty ? (
          <button
            type="button"
            class="send send-stop"
            aria-label="Stop the run"
            title="Stop the run"
            onClick={() => void stop()}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" class="send" aria-label="Send" title="Send (Enter)" disabled={isEmpty}>
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}

function messageOf(text: string, files: readonly Attachment[]): Outgoing {
  if (files.length === 0) return text;
  const parts = files.map(({ name, mimeType, data }) => ({
    inlineData: { mimeType, data, displayName: name },
  }));
  return { role: 'user', parts: text === '' ? parts : [{ text }, ...parts] };
}

async function readFile(file: File): Promise<Attachment> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} could not be read.`));
  });
  reader.readAsDataURL(file);
  const url = await read;
  return {
    name: file.name,
    mimeType: file.type || 'application/octet-stream',
    data: url.slice(url.indexOf(',') + 1),
  };
}
