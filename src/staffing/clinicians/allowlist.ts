import { TypeCompiler } from '@sinclair/typebox/compiler';
import { lazy } from '../../platform/lazy.ts';
import { type Clinician, ClinicianResponse } from './schema.ts';

const allowlist = lazy(() => TypeCompiler.Compile(ClinicianResponse));

/**
 * Checks a response against the allowlist: a clinician with another member, or a member in another format, is
 * not returned.
 */
export function isPublicClinician(clinician: unknown): clinician is Clinician {
  return allowlist().Check(clinician);
}
