import type { WitnessPolicy } from '../../receipt/witnessed.ts';
import type { VerifierContext } from '../values/context.ts';
import { bundleOptions } from './bundle.ts';
import type { LineOptions } from './chunk.ts';
import { receiptOptions } from './receipt.ts';

/**
 * Returns what the lines of a list are judged with.
 * @param isOfBundles whether the first line is a bundle, so that each must show what was asked of bundles
 */
export function lineOptions(context: VerifierContext, isOfBundles: boolean): LineOptions {
  const { policy: _, ...options } = receiptOptions(context);
  const { logKeys, policy, isFresh } = bundleOptions(context);
  return {
    ...options,
    issuer: context.issuer,
    keyLog: context.keyLog,
    bundles: { logKeys, policy: policy && plain(policy), isFresh },
    demandsBundles: isOfBundles && (policy !== undefined || isFresh === true),
  };
}

/** Returns a policy that a Worker can be sent: without what reads its file. */
function plain({ policy: { logs, witnesses, quorum }, logKeys }: WitnessPolicy): WitnessPolicy {
  return { policy: { logs, witnesses, quorum }, logKeys };
}
