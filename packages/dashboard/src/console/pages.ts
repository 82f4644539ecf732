// The pages of operators, which are loaded together.
import '../moderation/moderated-gif-page.ts';
import '../queue/queue-page.ts';
import '../review/audit-page.ts';
import '../review/review-page.ts';
import '../review/reviewed-client-page.ts';
import './catalogue-page.ts';
import './import-page.ts';
import './jobs-page.ts';
import './languages-page.ts';
import './overview-page.ts';
import './settings-page.ts';
import './storage/backups-page.ts';
import './storage/builds-page.ts';
import './sources/sources-page.ts';

export { loadTexts } from '../words/operators.ts';
