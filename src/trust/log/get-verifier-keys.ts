import type { Clock } from '../../platform/time/clock.ts';
import type { LogName } from '../../proof/log/log-names.ts';
import { policyLines } from './checkpoints/sign.ts';
import type { Signer } from './keys/signing/signer.ts';
import type { TrustLog } from './lifecycle/open.ts';

/**
 * Returns the lines `log <vkey>` (C2SP tlog-policy) of the keys that sign a log now, and of its next keys.
 */
export function verifierKeys(
  { signer, log, clock }: { signer: Signer; log: TrustLog; clock: Clock },
  name: LogName,
): string {
  return policyLines(signer.publishedLogKeys(name, clock.now()), log.open[name].origin);
}
