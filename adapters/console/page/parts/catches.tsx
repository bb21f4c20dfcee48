/** Shows a sentence in place of what can't be drawn, such as data of another version. The pages around it stay. */
import { Component, type ComponentChildren } from "preact";
import { ProblemState } from "./state.tsx";

type Props = { readonly again: () => unknown; readonly children: ComponentChildren };
type State = { readonly failed?: { readonly thrown: unknown; readonly drawn: ComponentChildren } };

export class Catches extends Component<Props, State> {
  override componentDidCatch(thrown: unknown): void {
    this.setState({ failed: { thrown, drawn: this.props.children } });
  }

  override render() {
    const { children, again } = this.props;
    const { failed } = this.state;
    // What is drawn later may be well.
    if (failed === undefined || failed.drawn !== children) return children;
    return <ProblemState thrown={failed.thrown} again={again} />;
  }
}
