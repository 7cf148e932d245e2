import { useEffect, useRef } from 'preact/hooks';

import { isHelpOpen } from './appearance.js';
import { KEYS } from './keyboard.js';

/** The keys of the page. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isHelpOpen.value]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl class="pairs">
        {Object.entries(KEYS).map(([key, { does }]) => (
          <div key={key}>
            <dt>{does}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="button">Close</button>
      </form>
    </dialog>
  );
}
