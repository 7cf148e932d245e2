/** The channel on which a page that a person was sent back to tells its address to the page that waits. */
const CHANNEL = 'adorn-consent';

/** True if an authorization server sent a person back to this page. */
export function isConsentReturn(): boolean {
  const query = new URLSearchParams(location.search);
  return query.has('state') && (query.has('code') || query.has('error'));
}

/** Tells the address of this page to the studio that waits for it, takes the code out of it, and closes the window. */
export function returnConsent(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(location.href);
  channel.close();
  history.replaceState(null, '', location.pathname);
  close();
}

/**
 * Opens the page of an authorization server in a window, and waits until the person is back at an address of this server.
 *
 * @param onReturn gets that address, whose state is that of the consent
 * @returns a function that stops to wait
 */
export function openConsent(address: string, onReturn: (returned: string) => void): () => void {
  const state = new URL(address).searchParams.get('state');
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<string>) => {
    if (new URL(data).searchParams.get('state') === state) onReturn(data);
  };
  const opened = open('about:blank', '_blank', 'popup,width=520,height=720');
  if (opened !== null) {
    opened.opener = null;
    opened.location.replace(address);
  }
  return () => channel.close();
}
