import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/states.tsx';

type Props = { children: ReactNode; resetKey: string };
type State = { error: unknown; resetKey: string };

/** A screen that fails to draw does not take the navigation with it. Going elsewhere resets it. */
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
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Card>
        <ErrorState error={this.state.error} fallback="This screen cannot be shown" onRetry={() => location.reload()} />
      </Card>
    );
  }
}
