import './parts/copy-button.ts';
import './parts/confirm-button.ts';
import { showDashboard } from './app.ts';

void showDashboard();
