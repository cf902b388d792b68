/** Development and tests: /console/gallery.html with states that the screens seldom show. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { Gallery } from './dev/gallery.tsx';
import { ToastLayer } from './ui/toasts.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';
import './styles/console.css';
import './dev/gallery.css';

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');
createRoot(root).render(
  <StrictMode>
    <TooltipProvider>
      <Router hook={useHashLocation}>
        <Gallery />
      </Router>
      <ToastLayer />
    </TooltipProvider>
  </StrictMode>,
);
