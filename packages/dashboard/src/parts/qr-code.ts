import { html, type TemplateResult } from 'lit';
import { encode } from 'uqr';

/** Renders a string as a QR code. The code is always dark on light, because cameras cannot read light codes on dark. */
export function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { border: 3 });
  const modules = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    <rect width=${size} height=${size} fill="#fff"></rect><path d=${modules} fill="#000"></path>
  </svg>`;
}
