import { afterAll, beforeAll, expect, test } from 'bun:test';
import { audited as tables } from '../../../../../src/trust/compliance/assessors/audit.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { assessmentsPath, signedAssessment } from '../../../../support/assessments.ts';
import { audited } from '../../../../support/audit.ts';
import { copyOf, openUnguarded } from '../../../../support/tampering.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let app: TrustApp;
beforeAll(async () => {
  app = await openTrustApp();
  const subject = await enrolledAgent(app);
  const assessor = await enrolledAgent(app, { sponsor: app.otherId });
  const request = signedAssessment(assessor, subject);
  expect((await app.anyone.post(assessmentsPath(subject.commitment), request)).status).toBe(201);
});
afterAll(() => app.close());

async function sentencesAfter(name: string, change: string | null): Promise<string> {
  const copy = `${app.directory}-${name}`;
  copyOf(app.directory, copy);
  if (change !== null) {
    const database = openUnguarded(copy);
    expect(database.run(change).changes).toBe(1);
    database.close();
  }
  const { reported } = await audited(copy, { only: tables });
  return reported
    .filter(({ table }) => table !== 'sqlite_schema')
    .map(({ sentence }) => sentence)
    .join('\n');
}

test('fsck finds no problem in an assessment', async () => {
  expect(await sentencesAfter('whole', null)).toBe('');
});

test.each([
  ['framework', "UPDATE assessment SET framework = 'ISO_42001'", 'it is not what the assessor signed'],
  ['subject', 'UPDATE assessment SET subject_seq = assessor_seq', 'it is not what the assessor signed'],
  ['assessor', 'UPDATE assessment SET assessor_seq = subject_seq', 'it is not what the assessor signed'],
  [
    'period',
    "UPDATE assessment SET period_to = '2026-05-02T00:00:00.000Z'",
    'it is not what the assessor signed',
  ],
  ['missing', 'DELETE FROM assessment', 'assessment'],
])('fsck finds an assessment whose row was changed: %s', async (name, change, sentence) => {
  expect(await sentencesAfter(name, change)).toContain(sentence);
});
