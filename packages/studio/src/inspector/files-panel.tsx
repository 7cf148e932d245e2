import { useEffect, useState } from 'preact/hooks';

import { app, select, sessionId } from '../page/address.js';
import { Icon } from '../page/icon.js';
import { optionalJson, routeOf } from '../server/connection.js';
import { frames } from '../server/open-session.js';
import { type SavedFile, savedFiles } from './state-history.js';

/** A file of the session on the server. */
interface StoredFile {
  readonly name: string;
  readonly versions: readonly number[];
}

/** The files that the agents saved, with their versions. */
export function FilesPanel() {
  const saved = savedFiles(frames.value);
  const [stored, setStored] = useState<readonly StoredFile[] | undefined>(undefined);
  const path = routeOf(app.value ?? '', `/sessions/${encodeURIComponent(sessionId.value ?? '')}/artifacts`);
  useEffect(() => {
    if (sessionId.value === undefined) return;
    void optionalJson<StoredFile[]>(path).then(
      (found) => setStored(Array.isArray(found) ? found : undefined),
      () => setStored(undefined),
    );
  }, [path, saved.length]);
  const names = [...new Set([...saved.map(({ name }) => name), ...(stored ?? []).map(({ name }) => name)])];
  if (names.length === 0)
    return (
      <p class="empty">
        No files yet. Tools save them with <code>context.saveArtifact(name, part)</code>; each version is
        kept.
      </p>
    );
  return (
    <ul class="files">
      {names.map((name) => (
        <FileEntry
          key={name}
          name={name}
          path={path}
          stored={stored?.find((one) => one.name === name)}
          saved={saved.filter((one) => one.name === name)}
        />
      ))}
    </ul>
  );
}

interface FileEntryProps {
  readonly name: string;
  readonly path: string;
  readonly stored: StoredFile | undefined;
  readonly saved: readonly SavedFile[];
}

function FileEntry({ name, path, stored, saved }: FileEntryProps) {
  const versions = stored?.versions ?? saved.map(({ version }) => version);
  const address = (version?: number) =>
    `${path}/${encodeURIComponent(name)}${version === undefined ? '' : `?version=${String(version)}`}`;
  return (
    <li class="file-entry">
      <p class="file-name">
        <Icon name="file" /> {name}
      </p>
      {stored !== undefined && /\.(png|jpe?g|gif|webp|svg)$/i.test(name) && (
        <img class="file-image" src={address()} alt={name} />
      )}
      <p class="file-versions">
        {versions.map((version) => {
          const event = saved.find((one) => one.version === version)?.eventId;
          return (
            <span key={version}>
              {stored ? (
                <a href={address(version)} target="_blank" rel="noreferrer">
                  version {version}
                </a>
              ) : (
                `version ${String(version)}`
              )}
              {event !== undefined && (
                <button type="button" class="link" onClick={() => select(event)}>
                  event
                </button>
              )}
            </span>
          );
        })}
      </p>
    </li>
  );
}
