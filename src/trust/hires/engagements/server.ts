import type { ServerPart } from '../../../platform/module.ts';
import type { ContextOf, Running, Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { endDue, nextEndOf } from '../escrow/end-due.ts';
import { creditReturner, nextReturnOf } from '../escrow/return-credits.ts';
import { nextStepOf, runSteps } from '../escrow/run-steps.ts';
import { waitingDisputesMetric } from '../escrow/waiting-disputes.ts';
import { acpPublicRoutes, acpRoutes } from './acp/routes.ts';
import { localEngagementRoutes } from './local-routes.ts';
import { endDeliveredDueIn, expireDueIn } from './pay-worker.ts';
import { issueOwedReceipts, issueReturnReceiptIn, nextOwedOf } from './return-receipt.ts';
import { engagementListRoutes, engagementPublicRoutes, engagementRoutes } from './routes.ts';

/** How often the service looks for due engagements. */
const EVERY_MS = 5000;

export const server = {
  routes: ({
    trust,
    auth,
  }: Serving<
    ContextOf<typeof engagementRoutes> &
      ContextOf<typeof engagementListRoutes> &
      ContextOf<typeof engagementPublicRoutes> &
      ContextOf<typeof acpRoutes> &
      ContextOf<typeof acpPublicRoutes>,
    RouteAuth
  >) => [
    engagementRoutes(trust, auth),
    engagementListRoutes(trust, auth),
    engagementPublicRoutes(trust, auth),
    acpRoutes(trust, auth),
    acpPublicRoutes(trust, auth),
  ],
  localRoutes: ({ trust }: Serving<ContextOf<typeof localEngagementRoutes>, RouteAuth>) => [
    localEngagementRoutes(trust),
  ],
  tasks: ({
    trust,
  }: Running<
    ContextOf<typeof endDue> &
      Parameters<typeof endDeliveredDueIn>[1] &
      ContextOf<typeof runSteps> &
      ContextOf<typeof creditReturner>
  >) => [
    {
      name: 'end due engagements',
      everyMs: EVERY_MS,
      waitsForClock: true,
      run: () =>
        endDue(trust, {
          expireIn: (tx, escrowSeq) => expireDueIn(tx, trust, escrowSeq),
          endDeliveredIn: (tx, escrowSeq) => endDeliveredDueIn(tx, trust, escrowSeq),
        }),
      dueAt: (after) => nextEndOf(trust, after),
    },
    {
      name: 'follow engagements of inactive parties',
      everyMs: EVERY_MS,
      waitsForClock: true,
      run: () => runSteps(trust, (tx, state) => issueReturnReceiptIn(tx, trust, state)),
      dueAt: (after) => nextStepOf(trust, after),
    },
    {
      name: 'issue owed receipts of engagements',
      everyMs: EVERY_MS,
      waitsForClock: true,
      run: () => issueOwedReceipts(trust),
      dueAt: (after) => nextOwedOf(trust, after),
    },
    {
      name: 'return credits of revoked agents',
      everyMs: EVERY_MS,
      waitsForClock: true,
      run: creditReturner(trust),
      dueAt: (after) => nextReturnOf(trust, after),
    },
  ],
  metrics: ({ trust }: Running<Parameters<typeof waitingDisputesMetric>[0]>) => [
    waitingDisputesMetric(trust),
  ],
} satisfies ServerPart<never, never, never>;
