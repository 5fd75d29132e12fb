import { type Html, html } from '../../../platform/page/html.ts';
import type { operatorStatus } from '../../dashboard/dashboard.ts';
import { alert } from './parts.ts';

type Status = Pick<Awaited<ReturnType<typeof operatorStatus>>, 'accountStatus'>;

/** Returns why an account is not active, and what its owner can do. */
export function accountAlerts({ accountStatus }: Status): Html | null {
  if (accountStatus === 'CLOSED') {
    return alert(
      'bad',
      html`<p><strong>This account is closed.</strong> You can still read everything, and revoke API keys.</p>`,
    );
  }
  if (accountStatus !== 'SUSPENDED') return null;
  return alert(
    'bad',
    html`<p><strong>This account is suspended.</strong> Its keys can read, and nothing else: no receipts, no movements, no payments of agents.</p>
<p>Ask the administrator of this service to activate it again. Until then, you can still revoke API keys and receipts.</p>`,
  );
}
