import { TypeCompiler } from '@sinclair/typebox/compiler';
import { lazy } from '../../platform/lazy.ts';
import { type Clinician, ClinicianResponse } from './schema.ts';

const allowlist = lazy(() => TypeCompiler.Compile(ClinicianResponse));

/** The allowlist where answers are made: a clinician with any other member, or one of another form, is never given. */
export function isPublicClinician(clinician: unknown): clinician is Clinician {
  return allowlist().Check(clinician);
}
