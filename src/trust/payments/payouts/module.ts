import payouts from '../../../../db/trust/migrations/0030_payouts.sql' with { type: 'text' };
import walletTransfers from '../../../../db/trust/migrations/0032_wallet_transfers.sql' with { type: 'text' };
import payoutRail from '../../../../db/trust/migrations/0046_payout_rail.sql' with { type: 'text' };
import payoutCuts from '../../../../db/trust/migrations/0053_payout_cuts.sql' with { type: 'text' };
import held from '../../../../db/trust/restored/payouts.sql' with { type: 'text' };
import type { ModuleEntry } from '../../../platform/module.ts';
import { payoutsEvents } from './events.ts';
import { payoutsSettings } from './settings.ts';

/** Payouts: withdrawals wait in a durable queue until a rail has paid them to custodial wallets. */
export const payoutsModule = {
  name: 'payouts',
  events: payoutsEvents,
  settings: Object.values(payoutsSettings),
  migrations: [
    { name: '0030_payouts', sql: payouts },
    { name: '0032_wallet_transfers', sql: walletTransfers },
    { name: '0046_payout_rail', sql: payoutRail },
    { name: '0053_payout_cuts', sql: payoutCuts },
  ],
  afterRestore: { sql: held },
  examples: () => import('./examples.json'),
  audit: () => import('./audit.ts'),
  server: () => import('./server.ts'),
  descriptions: () => import('./api.md', { with: { type: 'text' } }),
} satisfies ModuleEntry;
