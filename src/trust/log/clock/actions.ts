import { Type } from '@sinclair/typebox';
import { Action } from '../../../platform/control/action.ts';
import { Failure } from '../../../platform/failure.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { clockState, storeTime } from './keeper.ts';
import { timeText } from './notices.ts';

/** The parts of the service that the commands of the clock use. */
type ClockContext = { store: Store; clockWatch: ClockWatch };

const ClockResponse = strictObject({
  state: oneOf(['right', 'wrong', 'unconfirmed']),
  time: Type.String(),
  set_by_seconds: nullable(Type.Integer()),
  estimate: nullable(Type.String()),
  newest_data: nullable(Type.String()),
  running_seconds: nullable(Type.Integer()),
});

export const showAction = new Action({
  name: 'clock.show',
  input: strictObject({}),
  output: ClockResponse,
  run: async (context: ClockContext) => stateOf(context),
});

export const acceptAction = new Action({
  name: 'clock.accept',
  input: strictObject({}),
  output: ClockResponse,
  async run(context: ClockContext) {
    if (!context.clockWatch.accept()) {
      throw new Failure(
        'the clock is neither wrong nor in doubt, so there is nothing to accept',
        'see countersign clock show',
      );
    }
    await storeTime(context, true);
    return stateOf(context);
  },
});

export const clockActions = [showAction, acceptAction];

function stateOf({ clockWatch }: ClockContext) {
  const { wall, estimate, jump } = clockWatch.read();
  const doubt = clockWatch.startInDoubt;
  return {
    state: clockState({ clockWatch }),
    time: timeText(wall),
    set_by_seconds: jump === null ? null : Math.round(jump / 1000),
    estimate: jump === null ? null : timeText(estimate),
    newest_data: doubt === null ? null : timeText(doubt.newest),
    running_seconds: doubt === null ? null : Math.floor(doubt.ranMs / 1000),
  };
}
