import { createRoot } from 'react-dom/client';
import { Composer } from './composer.tsx';
import './composer.css';

createRoot(document.getElementById('app')!).render(
  <main>
    <h1>New note</h1>
    <Composer />
  </main>,
);
