import './parts/copy-button.ts';
import './app.ts';
