/** Keeps the keyboard's place when what it holds is drawn anew: see focus.ts. */
import { Component, type ComponentChildren, type RefObject } from "preact";
import { rememberFocus } from "./focus.ts";

export class KeepsFocus extends Component<{
  /** The element in it that holds everything else. */
  readonly box: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}> {
  override getSnapshotBeforeUpdate(): () => void {
    const { current } = this.props.box;
    return current === null ? () => {} : rememberFocus(current);
  }

  override componentDidUpdate(_props: unknown, _state: unknown, restore: () => void): void {
    restore();
  }

  override render() {
    return this.props.children;
  }
}
