/** Shows a dialog in an element of its own, which goes with it. */
import { type ComponentChild, render } from "preact";

/** `draw`: what it draws opens itself as a modal dialog, and calls `onClosed` once it is closed. */
export function showDialog(draw: (onClosed: () => void) => ComponentChild): void {
  const host = document.createElement("div");
  const onClosed = () => {
    render(null, host);
    host.remove();
  };
  document.body.append(host);
  render(draw(onClosed), host);
}
