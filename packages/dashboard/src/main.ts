import './parts/copy-button.ts';
import './parts/confirm-button.ts';
import './app.ts';
