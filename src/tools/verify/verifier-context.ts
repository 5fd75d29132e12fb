import type { LogKey } from '../../proof/log/log-keys.ts';
import type { WitnessPolicy } from '../../proof/receipt/witnessed.ts';
import type { VerifierKeys } from './trusted-keys.ts';

/** What a verification may use besides the document. */
export interface VerifierContext {
  trusted: VerifierKeys;
  /** The keys of the trusted logs. */
  logKeys: readonly LogKey[];
  policy: WitnessPolicy | undefined;
  /** The Unix time in milliseconds. */
  now: number;
}
