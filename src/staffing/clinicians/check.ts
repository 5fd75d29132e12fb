import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type Clinician, ClinicianAnswer } from './schema.ts';

const allowlist = TypeCompiler.Compile(ClinicianAnswer);

/** The allowlist where answers are made: a clinician with any other member is never given. @throws Error */
export function checkClinician(clinician: Clinician): Clinician {
  if (allowlist.Check(clinician)) return clinician;
  throw new Error('a clinician is not of the public shape');
}
