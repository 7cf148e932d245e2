import { useEffect, useRef, useState } from 'preact/hooks';

import type { CallUiJson } from '@adorn/server/client';

import { app } from '../page/address.js';
import { theme } from '../page/appearance.js';
import { faultOf, routeOf } from '../server/connection.js';
import { callFromUi, send, shownSession } from '../server/open-session.js';
import { PageHost, type PageWish } from './page-host.js';

/** Pixels of a page before it says how tall it is. */
const FIRST_HEIGHT = 160;

interface Asked {
  readonly wish: PageWish;
  readonly decide: (isAllowed: boolean) => void;
}

/**
 * The page of a call (MCP Apps) in a frame. Its document has an origin of its own and a policy, both by headers of the server; what
 * it calls passes the gates of every call, and what it wants of the person is asked here.
 */
export function CallPage({ callId, title }: { readonly callId: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [asked, setAsked] = useState<Asked>();
  const [page, setPage] = useState<CallUiJson>();
  const [fault, setFault] = useState<string>();
  const loads = useRef(0);

  useEffect(() => {
    shownSession()
      ?.ui(callId)
      .then(setPage)
      .catch((error: unknown) => setFault(faultOf(error).message));
  }, [callId]);
  useEffect(() => {
    if (page === undefined) return;
    const host = new PageHost({
      shown: page,
      context: hostContext(),
      // The page has an opaque origin, which no target origin names.
      send: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
      callTool: (name, args) => callFromUi(callId, name, args),
      ask: (wish) =>
        new Promise((resolve) => {
          setAsked({
            wish,
            decide: (isAllowed) => {
              setAsked(undefined);
              resolve(isAllowed);
            },
          });
        }),
      resize: setHeight,
    });
    const receive = ({ source, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) host.receive(data);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [page]);

  if (fault !== undefined) return <p class="call-note">The page of the call cannot be shown: {fault}</p>;
  const session = shownSession();
  if (page === undefined || session === undefined) return null;
  const path = `/sessions/${encodeURIComponent(session.id)}/calls/${encodeURIComponent(callId)}/ui/frame`;
  return (
    <div class="call-page">
      <iframe
        ref={frame}
        title={title}
        src={routeOf(app.value ?? '', path)}
        sandbox="allow-scripts"
        loading="lazy"
        referrerpolicy="no-referrer"
        // Another document in the frame is not the page that was asked for.
        onLoad={() => ++loads.current > 1 && setFault('it has left for another address.')}
        style={{ height: `${String(height)}px` }}
      />
      {asked && <Wish {...asked} />}
    </div>
  );
}

/** What the page wants, for the person to decide. */
function Wish({ wish, decide }: Asked) {
  const allow = () => {
    if (wish.kind === 'link') open(wish.url, '_blank', 'noopener,noreferrer');
    else void send(wish.text);
    decide(true);
  };
  return (
    <div class="call-wish" role="alert">
      <p>{wish.kind === 'link' ? 'The page wants to open' : 'The page wants to say in your name'}</p>
      <code>{wish.kind === 'link' ? wish.url : wish.text}</code>
      <button type="button" class="button" onClick={allow}>
        {wish.kind === 'link' ? 'Open' : 'Send'}
      </button>
      <button type="button" class="button" onClick={() => decide(false)}>
        No
      </button>
    </div>
  );
}

function hostContext(): object {
  const isDark =
    theme.value === 'dark' ||
    (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return {
    theme: isDark ? 'dark' : 'light',
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    platform: 'web',
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
