import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ErrorFace } from '../ui/data/faces.tsx';

/** Keeps the frame when a screen breaks, or its code is gone after an update of the server. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return <Boundary key={location}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ErrorFace
        title="This screen does not work"
        message="The console may have been updated, or the connection is gone. Load it again."
        onRetry={() => location.reload()}
      />
    );
  }
}
