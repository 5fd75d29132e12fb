import { commonErrors } from '../../http/errors.ts';
import type { RailContext } from './rail.ts';
import { resumeIn } from './rail-state.ts';
import { runnerOf } from './runner.ts';

/** Lets the stopped rail begin payouts again. @throws ApiError invalid_state if it is not stopped */
export async function resumePayouts(trust: RailContext) {
  const wasStopped = await trust.store.writeAsService((tx) => resumeIn(tx, 'evm'));
  if (!wasStopped) throw commonErrors.invalid_state({ message: 'The rail evm is not stopped.' });
  runnerOf(trust).resume();
  return { rail: 'evm' as const, resumed: true as const };
}
