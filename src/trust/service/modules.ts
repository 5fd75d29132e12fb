import idempotency from '../../../db/trust/migrations/0010_idempotency.sql' with { type: 'text' };
import cursors from '../../../db/trust/migrations/0011_cursors.sql' with { type: 'text' };
import captureIdempotency from '../../../db/trust/migrations/0040_capture_idempotency.sql' with {
  type: 'text',
};
import { type IdempotencyServices, idempotencyModule } from '../../platform/http/idempotency/module.ts';
import { cursorsModule } from '../../platform/http/pagination/module.ts';
import { didsModule } from '../agents/dids/module.ts';
import { agentsModule } from '../agents/module.ts';
import { billingModule } from '../billing/module.ts';
import { sandboxModule } from '../billing/sandbox/module.ts';
import { assessorsModule } from '../compliance/assessors/module.ts';
import { complianceModule } from '../compliance/module.ts';
import { packagesModule } from '../compliance/packages/module.ts';
import { credentialsModule } from '../credentials/module.ts';
import { datacenterModule } from '../datacenter/module.ts';
import { attestationsModule } from '../evidence/cards/module.ts';
import { expiryModule } from '../evidence/expiry/module.ts';
import { evidenceModule } from '../evidence/module.ts';
import { profilesModule } from '../evidence/profiles/module.ts';
import { reputationModule } from '../evidence/reputation/module.ts';
import { engagementsModule } from '../hires/engagements/module.ts';
import { escrowModule } from '../hires/escrow/module.ts';
import { creditsModule } from '../ledger/credits/module.ts';
import { journalsModule } from '../ledger/journals/module.ts';
import { meteringModule } from '../ledger/metering/module.ts';
import { ledgerModule } from '../ledger/module.ts';
import { statementsModule } from '../ledger/statements/module.ts';
import { walletsModule } from '../ledger/wallets/module.ts';
import { clockModule } from '../log/clock/module.ts';
import { keysModule } from '../log/keys/module.ts';
import { logModule } from '../log/module.ts';
import { witnessesModule } from '../log/witnesses/module.ts';
import { operatorsModule } from '../operators/module.ts';
import { quotasModule } from '../operators/quotas/module.ts';
import { restoredModule } from '../operators/restored/module.ts';
import { accountModule } from '../pages/account/module.ts';
import { dashboardModule } from '../pages/dashboard/module.ts';
import { discoveryModule } from '../pages/discovery/module.ts';
import { explorerModule } from '../pages/explorer/module.ts';
import { verifierModule } from '../pages/verifier/module.ts';
import { paymentsModule } from '../payments/module.ts';
import { payoutsModule } from '../payments/payouts/module.ts';
import { a2aModule } from '../protocols/a2a/module.ts';
import { agoraModule } from '../protocols/agora/module.ts';
import { gateModule } from '../receipts/gate/module.ts';
import { headsModule } from '../receipts/heads/module.ts';
import { linkedModule } from '../receipts/linked/module.ts';
import { receiptsModule } from '../receipts/module.ts';
import { slashingModule } from '../receipts/slashing/module.ts';
import { webhooksModule } from '../webhooks/module.ts';

/** The modules of the trust service, in the order of the documentation. This is the only registry. */
export const trustModules = [
  receiptsModule,
  logModule,
  agentsModule,
  evidenceModule,
  reputationModule,
  profilesModule,
  attestationsModule,
  credentialsModule,
  packagesModule,
  complianceModule,
  assessorsModule,
  webhooksModule,
  creditsModule,
  journalsModule,
  headsModule,
  statementsModule,
  meteringModule,
  escrowModule,
  engagementsModule,
  billingModule,
  sandboxModule,
  paymentsModule,
  payoutsModule,
  datacenterModule,
  a2aModule,
  didsModule,
  agoraModule,
  gateModule,
  slashingModule,
  dashboardModule,
  operatorsModule,
  linkedModule,
  accountModule,
  explorerModule,
  walletsModule,
  ledgerModule,
  keysModule,
  discoveryModule,
  verifierModule,
  clockModule,
  quotasModule,
  restoredModule,
  expiryModule,
  cursorsModule([{ name: '0011_cursors', sql: cursors }]),
  idempotencyModule(
    [
      { name: '0010_idempotency', sql: idempotency },
      { name: '0040_capture_idempotency', sql: captureIdempotency },
    ],
    ({ trust }: { trust: IdempotencyServices }) => trust,
  ),
  witnessesModule,
] as const;
