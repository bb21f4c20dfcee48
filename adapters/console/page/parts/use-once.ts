/** A press that is done once: a second one can come before the first is drawn. */
import { useRef, useState } from "preact/hooks";

/** `isBusy` from a press until what it does has ended; presses in between do nothing. */
export function useOnce(act: () => unknown): { readonly isBusy: boolean; readonly press: () => Promise<void> } {
  const [isBusy, setBusy] = useState(false);
  const isPressed = useRef(false);
  const press = async () => {
    if (isPressed.current) return;
    isPressed.current = true;
    setBusy(true);
    try {
      await act();
    } finally {
      isPressed.current = false;
      setBusy(false);
    }
  };
  return { isBusy, press };
}
