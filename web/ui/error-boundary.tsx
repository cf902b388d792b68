import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = { readonly fallback: ReactNode; readonly children: ReactNode };

/** Shows `fallback` in place of children that throw, or whose nodes another program has moved. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
