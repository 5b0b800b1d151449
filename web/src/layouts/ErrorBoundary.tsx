import { Component, type ErrorInfo, type ReactNode } from 'react';
import { forgetFailures } from '../lib/lazyScreen.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/states.tsx';

type Props = {
  children: ReactNode;
  resetKey: string;
  isOffline: boolean;
  /** Fetches again what the screen needs. */
  reload: () => Promise<void>;
};
type State = { error: unknown; resetKey: string };

/** Shows an error in place of a screen that fails to render. Navigation resets it, and so does the return of the server. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
    forgetFailures();
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.error !== null && before.isOffline && !this.props.isOffline) this.retry();
  }

  /** Fetches again, since a missing file may be available now. */
  retry = (): void => {
    const drawAgain = () => this.setState({ error: null });
    this.props.reload().then(drawAgain, drawAgain);
  };

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Card>
        <ErrorState error={this.state.error} fallback="This screen couldn't be loaded" onRetry={this.retry} />
      </Card>
    );
  }
}
