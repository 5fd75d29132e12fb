import { afterAll, describe, expect, test } from 'bun:test';
import { staffingDocument } from '../../../support/openapi.ts';
import { type Scenario, scenarios } from '../../../support/scenario.ts';
import { type Violation, violationsOf } from '../../../support/schema-violations.ts';
import { openStaffingApp, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const trust = await openTrustApp();
const staffing = await openStaffingApp();
afterAll(async () => {
  await Promise.all([trust.close(), staffing.close()]);
});

/** What answers before the schema: events are read once their signature is verified. */
const SIGNED_FIRST = ['receiveProcessorEvent'];

const ofTrust = violationsOf(Object((await trust.anyone.get('/openapi.json')).body)).filter(
  ({ operationId }) => !SIGNED_FIRST.includes(operationId),
);
const ofStaffing = violationsOf(Object(await staffingDocument(staffing.anyone.get)));

test('there are hundreds of rules about requests', () => {
  expect([ofTrust.length > 500, ofStaffing.length > 100]).toEqual([true, true]);
});

describe('a request to the trust service that its schema forbids is refused with the name of the field', () => {
  const row = ({ name, request, body, field }: Violation): Scenario<TrustApp> => [
    name,
    request,
    `400 validation_error: ${field}`,
    { body },
  ];
  scenarios(() => trust, ofTrust.map(row));
});

describe('a request to the staffing service that its schema forbids is refused with the name of the field', () => {
  const row = ({ name, request, body, field }: Violation): Scenario<StaffingApp> => [
    name,
    request,
    `400 VALIDATION_FAILED: ${field}`,
    { body, by: request.includes('/admin/') ? 'admin' : 'own' },
  ];
  scenarios(() => staffing, ofStaffing.map(row));
});
