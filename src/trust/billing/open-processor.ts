import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Ids } from '../../platform/ids.ts';
import { lazy } from '../../platform/lazy.ts';
import type { LimitedLog } from '../../platform/monitoring/log-limit.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ProcessorChoice } from './processor/choice.ts';
import type { PaymentProcessor } from './processor/processor.ts';

/** The parts of the service that processors use. */
interface ProcessorParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  masterKey: MasterKey;
  /** The URL of the service for its clients; null for a command. */
  url: string | null;
  log: LimitedLog;
}

/** Returns a function that opens the payment processor with its first call, so that a start loads no code. */
export function processorOf(
  choice: ProcessorChoice,
  { url, ...parts }: ProcessorParts,
): () => Promise<PaymentProcessor | null> {
  if (choice === null || url === null) return async () => null;
  return lazy(async () => {
    if (choice.name === 'sandbox') {
      const { openSandbox } = await import('./sandbox/processor.ts');
      return openSandbox({ ...parts, url });
    }
    const { openStripe } = await import('./processor/stripe.ts');
    return openStripe({ account: choice, url, clock: parts.clock, log: parts.log });
  });
}
