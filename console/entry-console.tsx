import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchAttention } from './api/attention.ts';
import { createQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');
watchAttention(window);
const app = <App queryClient={createQueryClient()} />;
createRoot(root).render(import.meta.env.PROD ? app : <StrictMode>{app}</StrictMode>);
