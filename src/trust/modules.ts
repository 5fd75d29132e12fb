import { a2aModule } from './a2a/module.ts';
import { accountModule } from './account/module.ts';
import { agentsModule } from './agents/module.ts';
import { agoraModule } from './agora/module.ts';
import { attestationsModule } from './attestations/module.ts';
import { billingModule } from './billing/module.ts';
import { clockModule } from './clock/module.ts';
import { complianceModule } from './compliance/module.ts';
import { credentialsModule } from './credentials/module.ts';
import { creditsModule } from './credits/module.ts';
import { cursorsModule } from './cursors/module.ts';
import { dashboardModule } from './dashboard/module.ts';
import { datacenterModule } from './datacenter/module.ts';
import { didsModule } from './dids/module.ts';
import { discoveryModule } from './discovery/module.ts';
import { engagementsModule } from './engagements/module.ts';
import { escrowModule } from './escrow/module.ts';
import { evidenceModule } from './evidence/module.ts';
import { gateModule } from './gate/module.ts';
import { idempotencyModule } from './idempotency/module.ts';
import { keysModule } from './keys/module.ts';
import { ledgerModule } from './ledger/module.ts';
import { linkedModule } from './linked/module.ts';
import { logModule } from './log/module.ts';
import { meteringModule } from './metering/module.ts';
import { operatorsModule } from './operators/module.ts';
import { packagesModule } from './packages/module.ts';
import { paymentsModule } from './payments/module.ts';
import { payoutsModule } from './payouts/module.ts';
import { profilesModule } from './profiles/module.ts';
import { quotasModule } from './quotas/module.ts';
import { receiptsModule } from './receipts/module.ts';
import { reputationModule } from './reputation/module.ts';
import { sandboxModule } from './sandbox/module.ts';
import { slashingModule } from './slashing/module.ts';
import { walletsModule } from './wallets/module.ts';
import { webhooksModule } from './webhooks/module.ts';
import { witnessesModule } from './witnesses/module.ts';

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
  webhooksModule,
  creditsModule,
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
  walletsModule,
  ledgerModule,
  keysModule,
  discoveryModule,
  clockModule,
  quotasModule,
  cursorsModule,
  idempotencyModule,
  witnessesModule,
] as const;
