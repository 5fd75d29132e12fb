import type { TrustApp } from './trust-app.ts';

/**
 * Publishes checkpoints that contain all leaves of the logs of evidence and of receipts. Nothing does it by
 * itself in a test.
 */
export async function publishCheckpoints({ service }: Pick<TrustApp, 'service'>): Promise<void> {
  const { publisher } = service.trust.log;
  publisher.grown('evidence');
  publisher.grown('receipts');
  await publisher.publish();
}
