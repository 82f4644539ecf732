import { html } from 'lit';
import { Panel } from '../parts/panel.ts';
import './audit-section.ts';

/** The audit log of all clients. */
class AuditPage extends Panel {
  override render() {
    return html`<h1>Activity</h1>
      <h2 class="visually-hidden">Audit log</h2>
      <audit-section .clientId=${''}></audit-section>`;
  }
}

customElements.define('audit-page', AuditPage);
