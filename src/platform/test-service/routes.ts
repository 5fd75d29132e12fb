import { Elysia } from 'elysia';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import type { keyed } from '../http/auth/keyed.ts';
import { type ApiError, type Details, Refusal } from '../http/errors/errors.ts';
import { timestampOf } from '../time/timestamp.ts';
import type { ClockState, TestControl } from './control.ts';
import { type Fault, MOST_FAULTS } from './faults.ts';
import { TEST_PATH, TEST_TAG } from './paths.ts';
import {
  AdvancedResponse,
  ClockRequest,
  ClockResponse,
  durationOf,
  FaultRequest,
  FaultsResponse,
  ResetResponse,
} from './schema.ts';
import { LATEST, LONGEST_ADVANCE_MS } from './times.ts';

/** What differs between the services. */
export interface TestRouteOptions {
  /** Requires the key of the administrator: `keyed: true`. */
  admin: ReturnType<typeof keyed<object, true>>;
  /** Returns the service's error for a state that does not allow a request: status 409. */
  invalidState(details: Details): ApiError;
  /** The security scheme of the key in the document. */
  scheme: string;
}

/** Returns the routes that only a test service has. */
export function testRoutes(control: TestControl, { admin, invalidState, scheme }: TestRouteOptions) {
  const security = [{ [scheme]: [] }];
  return new Elysia({ prefix: TEST_PATH.slice(0, -1), tags: [TEST_TAG.name] })
    .use(admin)
    .get('/clock', () => shown(control.clock()), {
      keyed: true,
      response: { 200: ClockResponse },
      detail: { operationId: 'getTestClock', security },
    })
    .post(
      '/clock',
      async ({ body }) => {
        const { steps, failed, ...clock } = await control.advance((now) => targetOf(body, now, invalidState));
        return { ...shown(clock), steps, failed_tasks: [...failed] };
      },
      {
        keyed: true,
        body: ClockRequest,
        response: { 200: AdvancedResponse },
        detail: { operationId: 'advanceTestClock', security },
      },
    )
    .post(
      '/reset',
      async () => {
        await control.reset();
        return { now: shown(control.clock()).now };
      },
      {
        keyed: true,
        response: { 200: ResetResponse },
        detail: { operationId: 'resetTestService', security },
      },
    )
    .get('/faults', () => shownFaults(control), {
      keyed: true,
      response: { 200: FaultsResponse },
      detail: { operationId: 'listFaults', security },
    })
    .post(
      '/faults',
      async ({ body }) => {
        await addFault(control, body, invalidState);
        return shownFaults(control);
      },
      {
        keyed: true,
        body: FaultRequest,
        response: { 200: FaultsResponse },
        detail: { operationId: 'addFault', security },
      },
    )
    .delete(
      '/faults',
      () => {
        control.faults.clear();
        return shownFaults(control);
      },
      {
        keyed: true,
        response: { 200: FaultsResponse },
        detail: { operationId: 'clearFaults', security },
      },
    );
}

/** @throws Refusal invalid, and the service's error for a time before the present */
function targetOf(
  { advance, to }: typeof ClockRequest.static,
  now: number,
  invalidState: TestRouteOptions['invalidState'],
): number {
  if ((advance === undefined) === (to === undefined))
    throw invalid('advance', 'must be sent, or `to`, and not both');
  const member = advance === undefined ? 'to' : 'advance';
  const target = advance === undefined ? parseTimestamp(to ?? '') : now + durationOf(advance);
  if (target === null || Number.isNaN(target)) throw invalid(member, 'must be an RFC 3339 time');
  if (target < now) {
    const message = `The clock is at ${timestampOf(now)}, and it only goes ahead. Reset the service to start again.`;
    throw invalidState({ message });
  }
  if (target - now > LONGEST_ADVANCE_MS)
    throw invalid(member, 'must be at most 3653 days ahead; advance several times');
  if (target > LATEST) throw invalid(member, `must not lead past ${timestampOf(LATEST)}`);
  return target;
}

/** @throws Refusal invalid, and the service's error for too many faults */
async function addFault(
  { faults }: TestControl,
  { operation, count, delay_ms = 0, lose_response = false, ...fault }: typeof FaultRequest.static,
  invalidState: TestRouteOptions['invalidState'],
): Promise<void> {
  const { status = null } = fault;
  if (delay_ms === 0 && status === null && !lose_response)
    throw invalid('status', 'must be sent, or `delay_ms` or `lose_response`');
  if (status !== null && lose_response)
    throw invalid('lose_response', 'makes no sense with `status`, which does not perform the request');
  if (faults.all().length >= MOST_FAULTS)
    throw invalidState({
      message: `There are ${MOST_FAULTS} faults. Remove them with DELETE /_test/faults.`,
    });
  await faults.add({ operation, count, delayMs: delay_ms, status, losesResponse: lose_response });
}

function shownFaults({ faults }: TestControl) {
  return { faults: faults.all().map(shownFault) };
}

function shownFault({ operation, count, delayMs, status, losesResponse }: Fault) {
  return { operation, count, delay_ms: delayMs, status, lose_response: losesResponse };
}

const shown = ({ time, isRunning }: ClockState) => ({ now: timestampOf(time), runs: isRunning });
const invalid = (member: string, problem: string) =>
  new Refusal('invalid', { issues: { [member]: [problem] } });
